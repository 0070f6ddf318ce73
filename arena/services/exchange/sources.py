"""The database as the source of an export: its cut in one transaction, then its matches in short ones.

Records of matches never change, so they are read while the arena plays on.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any, Final

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Match, MatchSeat, Table
from arena.exchange import lines
from arena.exchange.lines import Attempt, Cut, Scope, Season
from arena.match.record import encode, unpack
from arena.services.base.context import Arena
from arena.services.exchange import cuts

MOST_TABLES: Final = 50
"""Largest number of tables of one answer."""
MOST_MATCHES: Final = 1000
"""Number of matches from which no table is added to an answer: some tables have hundreds."""


class DatabaseSource:
    """Results in a database."""

    def __init__(self, arena: Arena, scope: Scope) -> None:
        self._arena = arena
        self.scope = scope

    @contextmanager
    def cut(self) -> Iterator[tuple[Season, Iterator[Cut]]]:
        """Open a cut. Raises `NotFound`."""
        with self._arena.reading() as session:
            cuts.check_scope(session, self.scope)
            yield cuts.season(session, self.scope), cuts.tables(session, self.scope)

    def attempts(self, after: int, until: int, limit: int = MOST_TABLES) -> list[Attempt]:
        """Return all attempts at the first played tables with IDs above `after` and up to `until`, by ID.

        There are up to `limit` tables, and fewer if they have many matches. Raises `NotFound`.
        """
        with self._arena.reading() as session:
            cuts.check_scope(session, self.scope)
            found = session.execute(
                select(Match.table_id, func.count())
                .join(Table, Table.id == Match.table_id)
                .join(Table.tournament)
                .where(*cuts.rated(self.scope), Match.table_id > after, Match.table_id <= until)
                .group_by(Match.table_id)
                .order_by(Match.table_id)
                .limit(limit)
            )
            return _attempts(session, _fitting((row[0], row[1]) for row in found))


def _fitting(counts: Iterable[tuple[int, int]]) -> list[int]:
    """Return the first tables, at least one, until they have `MOST_MATCHES` matches."""
    tables, total = [], 0
    for table, count in counts:
        tables.append(table)
        total += count
        if total >= MOST_MATCHES:
            break
    return tables


def _attempts(session: Session, tables: Sequence[int]) -> list[Attempt]:
    """Return all attempts at these tables, by table and number."""
    seat, match = MatchSeat, Match
    columns: list[Any] = [seat.match_id, seat.version_id, seat.cpu, seat.wall, seat.memory]
    played = select(*columns).join(match).where(match.table_id.in_(tables)).order_by(seat.match_id, seat.seat)
    seats = cuts.grouped(session.execute(played), lines.Seat)
    columns = [match.table_id, match.fence, match.id, match.seating, match.cage, match.finished]
    of = select(*columns, match.record, match.packages).where(match.table_id.in_(tables))
    rows = session.execute(of.order_by(match.table_id, match.fence, match.seating))
    return [
        Attempt(table, fence, [_match(row, seats[row.id]) for row in found])
        for (table, fence), found in groupby(rows, key=lambda row: (row.table_id, row.fence))
    ]


def _match(row: Any, seats: list[lines.Seat]) -> lines.Match:
    record = msgspec.Raw(encode(unpack(row.record)).rstrip())
    return lines.Match(row.id, row.seating, row.cage, row.finished, seats, record, row.packages)
