"""Put tables back in the queue that the arena gave up after repeated failures.

They are played from the same seed, as if they had never failed. Their failed attempts stay on record. A table cannot be
put back after the tournament has moved on without it: the next round has been drawn, or one of its bots has left.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account, check_admin
from arena.services.base.context import Arena
from arena.services.base.states import TableState, TournamentState
from arena.services.formats.registry import FORMATS
from arena.services.queue.cancellations import set_aside
from arena.services.tournaments import stages
from arena.services.tournaments.rejudgements import reopen
from arena.services.tournaments.starts import lock_tournament, state_phrase

STATES: Final = (TournamentState.RUNNING, TournamentState.PAUSED, TournamentState.FINISHED)
"""States of a tournament in which tables can be put back."""


def retry(arena: Arena, account: Account, tournament_id: int, table_number: int | None = None) -> int:
    """Put back the table with this 0-based number, or by default all tables that were given up.

    A finished tournament runs again, and so does one that paused itself for want of a result. Returns the number of
    tables. Raises `Refused` and `NotFound`.
    """
    check_admin(account)
    with arena.transaction() as session:
        tournament = lock_tournament(session, tournament_id)
        if tournament.state not in STATES:
            raise Refused(f"Cannot put tables back: the tournament is {state_phrase(tournament)}.")
        tables = _retriable(session, tournament, table_number)
        set_aside(session, tournament, tables, TableState.QUEUED)
        if tournament.problem:
            tournament.state, tournament.problem = TournamentState.RUNNING, None
        reopen(session, tournament)
    stages.advance(arena, tournament_id)
    return len(tables)


def _retriable(session: Session, tournament: Tournament, table_number: int | None) -> Sequence[int]:
    """Return the IDs of the given-up tables that nothing has followed. Raises `Refused` if there is none."""
    here = [Table.tournament_id == tournament.id]
    if table_number is not None:
        here.append(Table.number == table_number)
        if session.scalar(select(Table.id).where(*here)) is None:
            raise NotFound(f"There is no table {table_number + 1} in {tournament.name}.")
    tables: Sequence[int] = ()
    for condition, refusal in _conditions(tournament):
        here.append(condition)
        tables = session.scalars(select(Table.id).where(*here).order_by(Table.id)).all()
        if not tables:
            raise Refused(refusal)
    return tables


def _conditions(tournament: Tournament) -> Iterator[tuple[ColumnElement[bool], str]]:
    """Yield the conditions of a table that can be put back, each with the refusal if no table meets it."""
    yield Table.state == TableState.INFRA_FAILED, "Nothing to put back: the arena has not given up such a table."
    if FORMATS[tournament.format].staged:
        yield (
            Table.stage == tournament.stage - 1,
            "The next round has been drawn without these tables. Only a replay of the whole tournament includes them.",
        )
    yield ~_has_left(), "A bot at each of these tables has left the tournament."


def _has_left() -> ColumnElement[bool]:
    """Return the condition that a bot at a table left the tournament before it."""
    entered = (Entry.tournament_id == Table.tournament_id, Entry.version_id == TableSeat.version_id)
    gone = (Entry.out.is_not(None), func.coalesce(Entry.out_after, -1) < Table.number)
    return exists().where(TableSeat.table_id == Table.id, *entered, *gone)
