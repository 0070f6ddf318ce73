"""Advance tournaments: create the next stage, or finish.

A stage is a set of tables created together: all tables of a round robin, a round of a Swiss tournament or knockout, a
batch of a ladder or comparison. The next stage depends on results in table order alone, never on finishing order. Any
process may create it; the tournament's lock makes sure that only one does.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Tournament
from arena.services.base.context import Arena
from arena.services.base.pace import in_time
from arena.services.base.states import TournamentState
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.formats import rest
from arena.services.formats.base import Drawn
from arena.services.formats.plans import Plan
from arena.services.formats.registry import FORMATS, PLANNED
from arena.services.tournaments import fault_caps
from arena.services.tournaments.standings import note
from arena.services.tournaments.starts import begin, create_tables, draft, lock_tournament

OPEN: Final = tuple(one.id for one in FORMATS.values() if one.ongoing)
"""Formats in which any result may make new tables due."""

_DUE: Final = or_(Tournament.format.in_(OPEN), Tournament.stage == 0, Tournament.settled)


def start(
    session: Session,
    plan: Plan,
    versions: Sequence[int],
    created_by: int,
    *,
    priority: int = 0,
    seed: bytes | None = None,
) -> int:
    """Create and start a tournament of these versions, with its first tables. Returns its ID.

    Raises `Refused` and `OptionError`.
    """
    tournament = draft(session, plan, created_by, priority=priority, seed=seed)
    begin(session, tournament, versions)
    step(session, tournament)
    return tournament.id


def advance(arena: Arena, tournament_id: int) -> None:
    """Take all steps that are due in a tournament, each in its own transaction.

    Call it after every result. Any number of processes may call it at any time. Very large stages are created over
    several calls, some hundred tables at a time, and the first tables can be played before the last are created.
    """
    while _advance_once(arena, tournament_id):
        pass


def advance_all(arena: Arena) -> None:
    """Advance the running tournaments in which a step may be due, for example after a crash.

    If many are due, some are left to the next sweep.
    """
    with arena.reading() as session:
        due = select(Tournament.id).where(Tournament.state == TournamentState.RUNNING, _DUE, rest.awake(session))
        ids = session.scalars(due.order_by(Tournament.id)).all()
    for tournament_id in in_time(ids):
        advance(arena, tournament_id)


def step(session: Session, tournament: Tournament, drawn: Drawn | None = None) -> bool:
    """Take the next step that is due in a locked tournament. Returns whether another step may be due.

    `drawn` holds tables that were drawn before the tournament was locked. If anything has changed since, none is
    created, and they can be drawn again.
    """
    if tournament.state != TournamentState.RUNNING:
        return False
    if fault_caps.enforce(session, tournament):
        return True
    format = FORMATS[tournament.format]
    if drawn is not None and not format.confirm(session, tournament, drawn):
        return True
    tables = format.next_tables(session, tournament) if drawn is None else drawn.tables
    if tables is not None:
        _create_stage(session, tournament, tables)
    elif tournament.settled:
        _finish(session, tournament)
    return False


def _finish(session: Session, tournament: Tournament) -> None:
    tournament.state, tournament.finished = TournamentState.FINISHED, session.scalars(select(now())).one()
    # A comparison has no winners, because its better version may be unclear.
    final = note(session, tournament) if tournament.format in PLANNED else ()
    winners, tables = [row.bot for row in final if row.rank == 1 and row.score], tournament.tables_done
    log.note_tournament(session, EventKind.TOURNAMENT_FINISHED, tournament, tables=tables, winners=winners)


def _advance_once(arena: Arena, tournament_id: int) -> bool:
    """Take the next step that is due, if any. Returns whether another step may be due.

    Looks and draws in a transaction that only reads, because most results make no step due, and writers must not wait
    for a draw.
    """
    with arena.reading() as session:
        due = select(Tournament).where(Tournament.id == tournament_id, Tournament.state == TournamentState.RUNNING)
        tournament = session.scalar(due)
        if tournament is None:
            return False
        format = FORMATS[tournament.format]
        if not format.may_be_due(session, tournament) and not fault_caps.suspects(session, tournament):
            return False
        drawn = format.draw_ahead(session, tournament)
    with arena.transaction() as session:
        return step(session, lock_tournament(session, tournament_id), drawn)


def _create_stage(session: Session, tournament: Tournament, tables: Iterable[Sequence[int]]) -> None:
    """Create as many of these tables as fit in one transaction, and end the stage with the last of them."""
    before = tournament.tables_total
    complete = create_tables(session, tournament, tables)
    if complete and tournament.tables_total > before:
        if tournament.stage > 0 and not FORMATS[tournament.format].ongoing:
            log.note_tournament(session, EventKind.ROUND_ENDED, tournament, round=tournament.stage)
        tournament.stage += 1
