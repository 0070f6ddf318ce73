"""Rows of tables for lists."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from arena.db.models import Attempt, Match, Table, TableSeat, Version
from arena.services.base.states import AttemptOutcome
from arena.services.tables.views import PlaceRow, TableRow


def table_rows(session: Session, ids: Sequence[int]) -> tuple[TableRow, ...]:
    """Return the rows of these tables, in the order of `ids`."""
    found = session.scalars(
        select(Table)
        .where(Table.id.in_(ids))
        .options(selectinload(Table.seats).joinedload(TableSeat.version).joinedload(Version.bot))
    )
    by_id = {table.id: table for table in found}
    played: dict[int, list[int]] = {table_id: [] for table_id in ids}
    counted = select(Match.table_id, Match.id).where(Match.table_id.in_(ids), Match.superseded.is_(False))
    for table_id, match_id in session.execute(counted.order_by(Match.table_id, Match.seating)):
        played[table_id].append(match_id)
    problems = _problems(session, ids)
    return tuple(_table(by_id[table_id], played[table_id], problems.get(table_id)) for table_id in ids)


def _problems(session: Session, table_ids: Sequence[int]) -> dict[int, str | None]:
    """Return the reason of the latest failure of the arena at each table that had one."""
    failed = session.scalars(
        select(Attempt)
        .where(Attempt.table_id.in_(table_ids), Attempt.outcome.in_((AttemptOutcome.FAULT, AttemptOutcome.EXPIRED)))
        .order_by(Attempt.fence)
    )
    return {attempt.table_id: attempt.reason for attempt in failed}


def _table(table: Table, match_ids: Sequence[int], problem: str | None) -> TableRow:
    return TableRow(
        id=table.id,
        number=table.number,
        state=table.state,
        attempts=table.attempts,
        places=tuple(map(place, table.seats)),
        matches=tuple(match_ids),
        problem=problem,
        stage=table.stage,
    )


def place(seat: TableSeat) -> PlaceRow:
    """Convert a place of a table to a row with its bot and result."""
    version = seat.version
    return PlaceRow(
        position=seat.position,
        bot_id=version.bot_id,
        bot=version.bot.name,
        version_id=version.id,
        version=version.number,
        points=None if seat.half_points is None else seat.half_points / 2,
        rank=seat.rank,
        faults=seat.faults,
    )
