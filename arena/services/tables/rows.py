"""Rows of tables for lists, and their states as people see them."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Final

from sqlalchemy import ColumnElement, and_, case, or_, select
from sqlalchemy.orm import Session

from arena.db.models import Attempt, Bot, LiveTable, Match, Table, TableSeat, Version
from arena.services.base.states import AttemptOutcome, LiveState, TableState
from arena.services.base.views import view_of
from arena.services.tables.views import PlaceRow, TableRow

_LIVE: Final = Table.id.in_(
    select(LiveTable.table_id).where(LiveTable.state == LiveState.PLAYING, LiveTable.table_id.is_not(None))
)
STATE: Final = case((_LIVE, TableState.RUNNING), else_=Table.state)
"""State of a table; one that the live host plays waits for no worker, so it is running."""


def in_state(state: str) -> ColumnElement[bool]:
    """Return the condition of tables in a state."""
    own = Table.state == state
    return {TableState.RUNNING: or_(own, _LIVE), TableState.QUEUED: and_(own, ~_LIVE)}.get(TableState(state), own)


def table_rows(session: Session, ids: Sequence[int]) -> tuple[TableRow, ...]:
    """Return the rows of these tables, in the order of `ids`."""
    tables = session.execute(
        select(Table.id, Table.number, STATE.label("state"), Table.attempts, Table.stage).where(Table.id.in_(ids))
    )
    by_id = {row.id: row for row in tables}
    seated = places(session, ids)
    played: dict[int, list[int]] = {table_id: [] for table_id in ids}
    counted = select(Match.table_id, Match.id).where(Match.table_id.in_(ids), Match.superseded.is_(False))
    for table_id, match_id in session.execute(counted.order_by(Match.table_id, Match.seating)):
        played[table_id].append(match_id)
    problems = _problems(session, ids)
    return tuple(
        view_of(
            TableRow,
            by_id[table_id],
            places=seated.get(table_id, ()),
            matches=tuple(played[table_id]),
            problem=problems.get(table_id),
        )
        for table_id in ids
    )


def places(session: Session, table_ids: Collection[int]) -> dict[int, tuple[PlaceRow, ...]]:
    """Return the places of each of these tables with their bots and results."""
    # Columns, not objects: a list has hundreds of places.
    found = session.execute(
        select(
            TableSeat.table_id, TableSeat.position, Version.bot_id, Bot.name, Version.id, Version.number,
            TableSeat.half_points, TableSeat.rank, TableSeat.faults,
        )
        .join(TableSeat.version)
        .join(Version.bot)
        .where(TableSeat.table_id.in_(table_ids))
        .order_by(TableSeat.table_id, TableSeat.position)
    )  # fmt: skip
    groups = groupby(found, key=lambda row: row.table_id)
    return {table_id: tuple(_place(*row[1:]) for row in rows) for table_id, rows in groups}


def _problems(session: Session, table_ids: Sequence[int]) -> dict[int, str | None]:
    """Return the reason of the latest failure of the arena at each table that had one."""
    failed = session.scalars(
        select(Attempt)
        .where(Attempt.table_id.in_(table_ids), Attempt.outcome.in_((AttemptOutcome.FAULT, AttemptOutcome.EXPIRED)))
        .order_by(Attempt.fence)
    )
    return {attempt.table_id: attempt.reason for attempt in failed}


def _place(
    position: int, bot_id: int, bot: str, version_id: int, version: int, half_points: int | None, rank: int | None,
    faults: int,
) -> PlaceRow:  # fmt: skip
    points = None if half_points is None else half_points / 2
    return PlaceRow(position, bot_id, bot, version_id, version, points, rank, faults)
