"""Records of the matches of tables, with the version in each seat."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sqlalchemy import select

from arena.db.models import Match, MatchSeat
from arena.services.base.context import Arena

CHUNK: Final = 50
"""Number of tables read in one transaction."""


class Played(NamedTuple):
    """A match that counts."""

    id: int
    record: bytes
    seats: dict[int, int]
    """Version by seat."""


def played(arena: Arena, tables: Sequence[int]) -> Iterator[list[Played]]:
    """Yield the matches of each of these tables that count, in the order of `tables`."""
    for at in range(0, len(tables), CHUNK):
        yield from _matches(arena, tables[at : at + CHUNK])


def _matches(arena: Arena, tables: Sequence[int]) -> list[list[Played]]:
    query = (
        select(Match.table_id, Match.id, Match.record, MatchSeat.seat, MatchSeat.version_id)
        .join(MatchSeat, MatchSeat.match_id == Match.id)
        .where(Match.table_id.in_(tables), ~Match.superseded)
        .order_by(Match.id)
    )
    found: dict[int, dict[int, Played]] = {table: {} for table in tables}
    with arena.reading() as session:
        for table, match, record, seat, version in session.execute(query):
            found[table].setdefault(match, Played(match, record, {})).seats[seat] = version
    return [list(matches.values()) for matches in found.values()]
