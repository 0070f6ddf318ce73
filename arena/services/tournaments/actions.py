"""Plan, start, pause, resume, cancel and delete tournaments, as an organiser."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Notice, Table, Tournament
from arena.games.errors import Conflict, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.states import TableState, TournamentState
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.formats.plans import Plan, checked
from arena.services.formats.registry import FORMATS
from arena.services.formats.views import Preview
from arena.services.people import audit
from arena.services.queue.announcements import announce
from arena.services.queue.cancellations import cancel_tables
from arena.services.tournaments import ends, stages, starts
from arena.services.tournaments.starts import begin, columns, draft, lock_tournament, prepare, state_clause
from arena.words import N_, _

_STARTED: Final = (TournamentState.RUNNING, TournamentState.PAUSED)
_PLANNED: Final = (TournamentState.DRAFT, TournamentState.SCHEDULED)


def create(arena: Arena, account: Account, plan: Plan, start: bool) -> int:
    """Create a tournament, and start it if `start`. Returns its ID. Raises `Refused` and `OptionError`.

    A tournament that is not started is scheduled if the plan has a starting time, otherwise it is a draft.
    """
    check_organiser(account)
    valid = checked(plan)
    if start:
        prepare(arena, valid)
    with arena.transaction() as session:
        tournament = draft(session, valid, account.id)
        _note(session, account, "created a tournament", tournament)
        if start:
            begin(session, tournament)
    stages.advance(arena, tournament.id)
    return tournament.id


def change(arena: Arena, account: Account, tournament_id: int, plan: Plan) -> None:
    """Change the plan of a tournament that has not started; its seed and commitment stay.

    Raises `Refused`, `NotFound` and `OptionError`.
    """
    check_organiser(account)
    valid = checked(plan)
    with arena.transaction() as session:
        tournament = _lock_in(session, tournament_id, _PLANNED, N_("Cannot change: %(state)s."))
        for name, value in columns(valid).items():
            setattr(tournament, name, value)
        tournament.problem = None
        _note(session, account, "changed a tournament", tournament)


def start(arena: Arena, account: Account, tournament_id: int) -> None:
    """Start a planned tournament now. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    prepare(arena, plan_of(arena, tournament_id))
    with arena.transaction() as session:
        tournament = _lock_in(session, tournament_id, _PLANNED, N_("Cannot start: %(state)s."))
        begin(session, tournament)
        _note(session, account, "started a tournament", tournament)
    stages.advance(arena, tournament_id)


def pause(arena: Arena, account: Account, tournament_id: int) -> None:
    """Pause a running tournament: tables being played are completed and count, no others start.

    Raises `Refused` and `NotFound`.
    """
    check_organiser(account)
    with arena.transaction() as session:
        tournament = _lock_in(session, tournament_id, [TournamentState.RUNNING], N_("Cannot pause: %(state)s."))
        tournament.state = TournamentState.PAUSED
        _note(session, account, "paused a tournament", tournament)


def resume(arena: Arena, account: Account, tournament_id: int) -> None:
    """Resume a paused tournament. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        tournament = _lock_in(session, tournament_id, [TournamentState.PAUSED], N_("Cannot resume: %(state)s."))
        # Ring again: workers ignored the doorbells of a paused tournament.
        waits = update(Table).where(Table.tournament_id == tournament_id, Table.state == TableState.QUEUED)
        session.execute(waits.where(Table.rung_at.is_not(None)).values(rung_at=None))
        tournament.state, tournament.problem = TournamentState.RUNNING, None
        _note(session, account, "resumed a tournament", tournament)
        session.flush()
        announce(session)
    stages.advance(arena, tournament_id)


def cancel(arena: Arena, account: Account, tournament_id: int) -> None:
    """Cancel a tournament; its results stay and stay rated. A comparison may be cancelled by its creator as well.

    Raises `Refused` and `NotFound`.
    """
    with arena.transaction() as session:
        tournament = _lock_in(
            session,
            tournament_id,
            (*_STARTED, TournamentState.SCHEDULED),
            N_("Cannot cancel: %(state)s."),
        )
        if not (FORMATS[tournament.format].cancelled_by_creator and tournament.created_by_id == account.id):
            check_organiser(account)
            _note(session, account, "cancelled a tournament", tournament)
        cancel_tables(session, tournament)
        tournament.state, tournament.finished = TournamentState.CANCELLED, session.scalars(select(now())).one()
        log.note_tournament(session, EventKind.TOURNAMENT_CANCELLED, tournament)


def delete(arena: Arena, account: Account, tournament_id: int) -> None:
    """Delete a tournament that has not started. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        tournament = _lock_in(session, tournament_id, _PLANNED, N_("Cannot delete: %(state)s."))
        session.execute(update(Notice).where(Notice.tournament_id == tournament_id).values(tournament_id=None))
        log.forget_tournament(session, tournament_id)
        _note(session, account, "deleted a tournament", tournament)
        session.delete(tournament)


def preview(arena: Arena, plan: Plan) -> Preview:
    """Return the size and duration of a tournament by this plan if it started now, or why it is refused.

    Raises `OptionError`.
    """
    try:
        with arena.reading() as session:
            return ends.preview(session, plan)
    except Refused as refusal:
        return Preview(0, 0, 0, plan.boards or 0, str(refusal))


def plan_of(arena: Arena, tournament_id: int) -> Plan:
    """Return the plan of a tournament. Raises `NotFound`."""
    with arena.reading() as session:
        return starts.plan_of(starts.find(session, tournament_id))


def _note(session: Session, account: Account, action: str, tournament: Tournament) -> None:
    audit.note(session, account, action, f"tournament {tournament.id}", tournament.name)


def _lock_in(session: Session, tournament_id: int, states: Collection[str], refusal: str) -> Tournament:
    """Lock a tournament in one of these states. Raises `Refused` in other states, and `NotFound`."""
    tournament = lock_tournament(session, tournament_id)
    if tournament.state not in states:
        raise Conflict(_(refusal, state=state_clause(tournament)))
    return tournament
