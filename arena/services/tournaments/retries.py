"""Put tables back in the queue that the arena gave up after repeated failures.

They are played from the same seed, as if they had never failed. Their failed attempts stay on record. A table cannot be
put back after the tournament has moved on without it: the next round has been drawn, or one of its bots has left.
"""

from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament
from arena.games.errors import Conflict, NotFound, Refused
from arena.services.base.access import Account, check_admin, check_organiser
from arena.services.base.context import Arena
from arena.services.base.states import REPLAYABLE, TableState, TournamentState
from arena.services.formats.registry import FORMATS
from arena.services.people import audit
from arena.services.queue.cancellations import set_aside
from arena.services.tournaments import stages
from arena.services.tournaments.rejudgements import reopen
from arena.services.tournaments.starts import check_played_here, lock_tournament, state_clause
from arena.words import _


def retry(arena: Arena, account: Account, tournament_id: int, table_number: int | None = None) -> int:
    """Put back the table with this 0-based number, or by default all tables that were given up.

    A finished tournament runs again, and so does one that paused itself for want of a result. Returns the number of
    tables. Raises `Refused` and `NotFound`.
    """
    check_organiser(account)
    with arena.transaction() as session:
        tournament = lock_tournament(session, tournament_id)
        check_played_here(tournament)
        if tournament.state not in REPLAYABLE:
            raise Conflict(_("Cannot put tables back: %(state)s.", state=state_clause(tournament)))
        tables = _retriable(session, tournament, table_number)
        set_aside(session, tournament, tables, TableState.QUEUED)
        if tournament.problem:
            tournament.state, tournament.problem = TournamentState.RUNNING, None
        reopen(session, tournament)
        audit.note(session, account, "put tables back", f"tournament {tournament_id}", _listed(tables, table_number))
    stages.advance(arena, tournament_id)
    return len(tables)


def retry_all(arena: Arena, account: Account) -> int:
    """Put back the given-up tables of every tournament, except where that is refused.

    Returns the number of tables. Raises `Refused`, with all refusals, if there is none.
    """
    check_admin(account)
    with arena.reading() as session:
        failed = select(Tournament.id, Tournament.name).where(Tournament.tables_failed > 0)
        found = session.execute(failed.where(Tournament.state.in_(REPLAYABLE)).order_by(Tournament.id)).all()
    tables, refusals = 0, []
    for tournament_id, name in found:
        try:
            tables += retry(arena, account, tournament_id)
        except Refused as refusal:
            refusals.append(f"{name}: {refusal}")
    if not tables:
        raise Refused(" ".join(refusals) or _("Nothing to put back: the arena has not given up any table."))
    return tables


def _listed(tables: Sequence[int], number: int | None) -> str:
    return f"tables: {len(tables)}" if number is None else f"table {number + 1}"


def _retriable(session: Session, tournament: Tournament, table_number: int | None) -> Sequence[int]:
    """Return the IDs of the given-up tables that nothing has followed. Raises `Refused` if there is none."""
    here = [Table.tournament_id == tournament.id]
    if table_number is not None:
        here.append(Table.number == table_number)
        if session.scalar(select(Table.id).where(*here)) is None:
            raise NotFound(
                _("There is no table %(number)s in %(name)s.", number=table_number + 1, name=tournament.name)
            )
    tables: Sequence[int] = ()
    for condition, refusal in _conditions(tournament):
        here.append(condition)
        tables = session.scalars(select(Table.id).where(*here).order_by(Table.id)).all()
        if not tables:
            raise Refused(refusal)
    return tables


def _conditions(tournament: Tournament) -> Iterator[tuple[ColumnElement[bool], str]]:
    """Yield the conditions of a table that can be put back, each with the refusal if no table meets it."""
    yield Table.state == TableState.INFRA_FAILED, _("Nothing to put back: the arena has not given up such a table.")
    if FORMATS[tournament.format].staged:
        yield (
            Table.stage == tournament.stage - 1,
            _(
                "The next round has been drawn without these tables. "
                "Only a replay of the whole tournament includes them."
            ),
        )
    yield ~_has_left(), _("A bot at each of these tables has left the tournament.")


def _has_left() -> ColumnElement[bool]:
    """Return the condition that a bot at a table left the tournament before it."""
    entered = (Entry.tournament_id == Table.tournament_id, Entry.version_id == TableSeat.version_id)
    gone = (Entry.out.is_not(None), func.coalesce(Entry.out_after, -1) < Table.number)
    return exists().where(TableSeat.table_id == Table.id, *entered, *gone)
