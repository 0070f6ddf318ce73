"""Results that ratings count: those of finished tables before the first unsettled table of their tournament."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Integer, Select, bindparam, select
from sqlalchemy.orm import Session

from arena.db.hints import unindexed
from arena.db.models import Table, TableSeat, Tournament
from arena.games.registry import rules_of
from arena.ratings import Result
from arena.services.base.states import TableState
from arena.tournament.tables import kind_of

SEATS: Final = 120
"""Maximum number of seats in a chunk; more than a table has. A chunk takes well under 100 ms to fold."""
SPAN: Final = 5_000
"""Maximum number of table IDs that a chunk covers, because tables of other variants may lie in between."""


class Chunk(NamedTuple):
    """Consecutive results of a variant."""

    start: int
    """ID of the first table that it may hold."""
    end: int
    """Lowest ID of a table after it."""
    results: Sequence[Result]
    """Results of all counted tables from `start` to before `end`, in the order of their IDs."""


def counted(variant: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions under which a table counts, for queries that join `Table` with `Tournament`."""
    return (
        unindexed(Tournament.variant) == variant,
        unindexed(Table.state) == TableState.DONE,
        Table.number < Tournament.folded,
    )


def results(session: Session, variant: str, since: int) -> Iterator[Result]:
    """Yield the results of counted tables from ID `since`, in the order of their IDs."""
    return _results(variant, session.execute(_seats(variant), {"since": since, "end": sys.maxsize}))


def chunk(session: Session, variant: str, since: int) -> Chunk:
    """Return the results of the first counted tables from ID `since`. Reads at most `SPAN` tables."""
    end = since + SPAN
    rows = session.execute(_chunk(variant), {"since": since, "end": end, "seats": SEATS}).all()
    if len(rows) == SEATS:
        end = rows[-1].table_id  # seats of this table may be missing
    return Chunk(since, end, list(_results(variant, (row for row in rows if row.table_id < end))))


@cache  # every result executes it, and building it takes longer
def _chunk(variant: str) -> Select[int, int, int | None, int, str]:
    return _seats(variant).limit(bindparam("seats", type_=Integer))


def _seats(variant: str) -> Select[int, int, int | None, int, str]:
    # Both IDs are bounded, because PostgreSQL does not infer one bound from the other.
    since: BindParameter[int] = bindparam("since")
    end: BindParameter[int] = bindparam("end")
    bounds = [condition for column in (TableSeat.table_id, Table.id) for condition in (column >= since, column < end)]
    return (
        select(TableSeat.table_id, TableSeat.version_id, TableSeat.rank, Tournament.boards, Tournament.seatings)
        .select_from(TableSeat)
        .join(TableSeat.table)
        .join(Table.tournament)
        .where(*counted(variant), *bounds)
        .order_by(TableSeat.table_id, TableSeat.position)
    )


def _results(variant: str, rows: Iterable[Any]) -> Iterator[Result]:
    teams = rules_of(variant).teams
    for table_id, seats in groupby(rows, key=lambda row: row.table_id):
        _, versions, ranks, boards, modes = zip(*seats, strict=True)
        yield Result(table_id, versions, ranks, kind_of(teams, len(versions), modes[0]).own_matches(boards[0]))
