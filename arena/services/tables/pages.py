"""The page of a table: matches on the same boards side by side, and all attempts."""

from collections.abc import Mapping
from itertools import groupby

from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Attempt, LiveTable, Match, Rejudgement, Table, TableSeat, Tournament
from arena.games.errors import NotFound
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.base.views import view_of
from arena.services.tables import matches
from arena.services.tables.rows import STATE, places
from arena.services.tables.views import AttemptRow, MatchRow, TableMatch, TablePage
from arena.words import _

Sets = tuple[tuple[TableMatch, ...], ...]


def table_page(arena: Arena, table_id: int) -> TablePage:
    """Return the page of a table. Raises `NotFound`."""
    with arena.reading() as session:
        table = session.get(Table, table_id, options=[joinedload(Table.tournament)])
        if table is None:
            raise NotFound(_("There is no table %(id)s.", id=table_id))
        tournament = table.tournament
        played = _played(session, table)
        return view_of(
            TablePage,
            table,
            state=session.scalars(select(STATE).where(Table.id == table_id)).one(),
            tournament=tournament.name,
            tournament_state=tournament.state,
            variant=tournament.variant,
            format=tournament.format,
            boards=tournament.boards,
            seatings=tournament.seatings,
            live=session.scalar(select(LiveTable.code).where(LiveTable.table_id == table_id)),
            places=places(session, [table_id]).get(table_id, ()),
            sets=played.get(table.fence, ()) if table.state == TableState.DONE else (),
            attempts=_attempts(session, table_id, played),
            reasons=_reasons(session, table),
        )


def _played(session: Session, table: Table) -> dict[int, Sets]:
    """Return the matches of each attempt, by set of boards and by the attempt's fence."""
    found = session.execute(
        select(Match.fence, Match.id).where(Match.table_id == table.id).order_by(Match.fence, Match.seating)
    ).all()
    rows = {row.id: row for row in matches.rows(session, [row.id for row in found])}
    return {
        fence: _sets(session, table.tournament, [rows[match_id] for _, match_id in group])
        for fence, group in groupby(found, key=lambda row: row.fence)
    }


def _sets(session: Session, tournament: Tournament, played: list[MatchRow]) -> Sets:
    seatings = max(1, len(played) // tournament.boards)
    cells = [
        TableMatch(
            row.id, row.seating // seatings, row.seating % seatings, row.seats, matches.solitaire_result(session, row)
        )
        for row in played
    ]
    return tuple(tuple(cells[first : first + seatings]) for first in range(0, len(cells), seatings))


def _attempts(session: Session, table_id: int, played: Mapping[int, Sets]) -> tuple[AttemptRow, ...]:
    attempts = session.scalars(select(Attempt).where(Attempt.table_id == table_id).order_by(Attempt.fence))
    return tuple(view_of(AttemptRow, one, sets=played.get(one.fence, ())) for one in attempts)


def _reasons(session: Session, table: Table) -> tuple[str, ...]:
    """Return the reasons of the rejudgements that included the table, oldest first."""
    versions = select(TableSeat.version_id).where(TableSeat.table_id == table.id)
    every = Rejudgement.table_number.is_(None) & Rejudgement.version_id.is_(None)
    orders = (
        select(Rejudgement.reason)
        .where(Rejudgement.tournament_id == table.tournament_id)
        .where(or_(every, Rejudgement.table_number == table.number, Rejudgement.version_id.in_(versions)))
        .order_by(Rejudgement.id)
    )
    return tuple(session.scalars(orders))
