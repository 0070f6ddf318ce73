"""Tournaments: plan, start, pause, resume, cancel. For administrators."""

from collections.abc import Collection

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Notice, Table, Tournament
from arena.games.errors import Refused
from arena.services import stages, starting
from arena.services.announcing import announce
from arena.services.context import Arena
from arena.services.costs import cost
from arena.services.entering import entrants
from arena.services.plans import COMPARISON, Plan, checked
from arena.services.setting_aside import call_off
from arena.services.shapes import CANCELLED, DRAFT, PAUSED, QUEUED, RUNNING, SCHEDULED, Account, Preview
from arena.services.starting import begin, columns, draft, held, prepare

OPEN = (RUNNING, PAUSED)
PLANNED = (DRAFT, SCHEDULED)


def create(arena: Arena, account: Account, plan: Plan, start: bool) -> int:
    """Make a tournament by this plan; its id. It starts now, or at the plan's time, or (a draft) when somebody says so.

    Raises Refused and OptionError.
    """
    check_admin(account)
    meant = checked(plan)
    if start:
        prepare(arena, meant)
    with arena.transaction() as session:
        tournament = draft(session, meant, account.id)
        if start:
            _begin(session, tournament)
    stages.advance(arena, tournament.id)
    return tournament.id


def change(arena: Arena, account: Account, tournament_id: int, plan: Plan) -> None:
    """Give a tournament that has not begun another plan; its commitment stays.

    Raises Refused, NotFound and OptionError.
    """
    check_admin(account)
    meant = checked(plan)
    with arena.transaction() as session:
        tournament = _held_in(session, tournament_id, PLANNED, "change")
        for name, value in columns(meant).items():
            setattr(tournament, name, value)
        tournament.problem = None


def start(arena: Arena, account: Account, tournament_id: int) -> None:
    """Begin a tournament now. Raises Refused and NotFound."""
    check_admin(account)
    prepare(arena, plan_of(arena, tournament_id))
    with arena.transaction() as session:
        _begin(session, _held_in(session, tournament_id, PLANNED, "start"))
    stages.advance(arena, tournament_id)


def pause(arena: Arena, account: Account, tournament_id: int) -> None:
    """Have nothing more of it begun until it is resumed; what is being played is played to its end and counts.

    Raises Refused and NotFound.
    """
    check_admin(account)
    with arena.transaction() as session:
        _held_in(session, tournament_id, [RUNNING], "pause").state = PAUSED


def resume(arena: Arena, account: Account, tournament_id: int) -> None:
    """Go on with a tournament that was paused, or paused itself. Raises Refused and NotFound."""
    check_admin(account)
    with arena.transaction() as session:
        tournament = _held_in(session, tournament_id, [PAUSED], "resume")
        # Whoever was rung for these came while there was nothing to do.
        waits = update(Table).where(Table.tournament_id == tournament_id, Table.state == QUEUED)
        session.execute(waits.where(Table.rung_at.is_not(None)).values(rung_at=None))
        tournament.state, tournament.problem = RUNNING, None
        session.flush()
        announce(session)
    stages.advance(arena, tournament_id)


def cancel(arena: Arena, account: Account, tournament_id: int) -> None:
    """Stop a tournament for good. What was played stays and stays rated. Who made a comparison may stop it, too.

    Raises Refused and NotFound.
    """
    with arena.transaction() as session:
        tournament = _held_in(session, tournament_id, (*OPEN, SCHEDULED), "cancel")
        if tournament.format != COMPARISON or tournament.created_by_id != account.id:
            check_admin(account)
        call_off(session, tournament)
        tournament.state, tournament.finished = CANCELLED, session.scalars(select(now())).one()


def delete(arena: Arena, account: Account, tournament_id: int) -> None:
    """Delete a tournament that has not begun. Raises Refused and NotFound."""
    check_admin(account)
    with arena.transaction() as session:
        tournament = _held_in(session, tournament_id, PLANNED, "delete")
        session.execute(update(Notice).where(Notice.tournament_id == tournament_id).values(tournament_id=None))
        session.delete(tournament)


def preview(arena: Arena, plan: Plan) -> Preview:
    """What a tournament by this plan would be if it started now, or why it would be refused. Raises OptionError."""
    try:
        with arena.reading() as session:
            meant = checked(plan)
            entered = len(entrants(session, meant))
    except Refused as refusal:
        return Preview(0, 0, 0, plan.boards or 0, str(refusal))
    return cost(meant, entered)


def plan_of(arena: Arena, tournament_id: int) -> Plan:
    """The plan of a tournament. Raises NotFound."""
    with arena.reading() as session:
        return starting.plan_of(starting.find(session, tournament_id))


def check_admin(account: Account) -> None:
    """Raises Refused for everybody but administrators."""
    if not account.is_admin:
        raise Refused("Only an administrator may do this.")


def _held_in(session: Session, tournament_id: int, states: Collection[str], what: str) -> Tournament:
    """The tournament, held, in one of these states. Raises Refused and NotFound."""
    tournament = held(session, tournament_id)
    if tournament.state not in states:
        raise Refused(f"This tournament is {tournament.state}: there is nothing to {what}.")
    return tournament


def _begin(session: Session, tournament: Tournament) -> None:
    begin(session, tournament)
    stages.step(session, tournament)
