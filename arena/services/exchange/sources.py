"""The database as the source of an export: its cut in one transaction, then its matches in short ones.

Records of matches never change, so they are read while the arena plays on.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, func, select

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

    def matches(self, played: Sequence[Cut]) -> Mapping[int, list[lines.Match]]:
        """Return the matches of these tables as of the cut, by table."""
        fences = {cut.table.id: cut.fence for cut in played}
        # Not by pairs of table and fence: SQLite would read all matches to find them.
        found = _attempts(self._arena, Match.table_id.in_(fences))
        return {one.table: one.matches for one in found if one.fence == fences[one.table]}


def attempts(arena: Arena, scope: Scope, after: int, until: int, limit: int = MOST_TABLES) -> list[Attempt]:
    """Return all attempts at the first played tables with IDs above `after` and up to `until`, by ID.

    There are up to `limit` tables, and fewer if they have many matches. Raises `NotFound`.
    """
    with arena.reading() as session:
        cuts.check_scope(session, scope)
        found = session.execute(
            select(Match.table_id, func.count())
            .join(Table, Table.id == Match.table_id)
            .join(Table.tournament)
            .where(*cuts.rated(scope), Match.table_id > after, Match.table_id <= until)
            .group_by(Match.table_id)
            .order_by(Match.table_id)
            .limit(limit)
        )
        tables = _fitting((row[0], row[1]) for row in found)
    return _attempts(arena, Match.table_id.in_(tables))


def _fitting(counts: Iterable[tuple[int, int]]) -> list[int]:
    """Return the first tables, at least one, until they have `MOST_MATCHES` matches."""
    tables, total = [], 0
    for table, count in counts:
        tables.append(table)
        total += count
        if total >= MOST_MATCHES:
            break
    return tables


def _attempts(arena: Arena, which: ColumnElement[bool]) -> list[Attempt]:
    """Return attempts with these matches, by table and number."""
    with arena.reading() as session:
        seats = _seats(session.execute(
            select(MatchSeat.match_id, MatchSeat.version_id, MatchSeat.cpu, MatchSeat.wall, MatchSeat.memory)
            .join(Match).where(which).order_by(MatchSeat.match_id, MatchSeat.seat)
        ))  # fmt: skip
        rows = session.execute(
            select(
                Match.table_id, Match.fence, Match.id, Match.seating, Match.cage, Match.finished, Match.record,
                Match.packages,
            ).where(which).order_by(Match.table_id, Match.fence, Match.seating)
        )  # fmt: skip
        return [
            Attempt(table, fence, [_match(row, seats[row.id]) for row in found])
            for (table, fence), found in groupby(rows, key=lambda row: (row.table_id, row.fence))
        ]


def _match(row: object, seats: list[lines.Seat]) -> lines.Match:
    id, seating, cage, finished, packed, packages = row[2:]  # type: ignore[index]
    return lines.Match(id, seating, cage, finished, seats, msgspec.Raw(encode(unpack(packed)).rstrip()), packages)


def _seats(rows: Iterable[Sequence[object]]) -> dict[object, list[lines.Seat]]:
    found: dict[object, list[lines.Seat]] = defaultdict(list)
    for match, *seat in rows:
        found[match].append(lines.Seat(*seat))  # type: ignore[arg-type]
    return found
