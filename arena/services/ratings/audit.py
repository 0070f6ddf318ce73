"""Audit of ratings: recompute them from the stored records alone, and compare them bit for bit."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import CurrentRating, Match, RatingCursor, RatingEvent, Table, TableSeat, Tournament
from arena.games.errors import RecordError
from arena.games.registry import rules_of
from arena.match.record import DAMAGE, unpack
from arena.ratings import Result
from arena.services.base.context import Arena
from arena.services.ratings import parameters
from arena.services.ratings.results import counted
from arena.tournament import standings
from arena.tournament.tables import kind_of

BATCH: Final = 1000
"""Number of rows read at a time."""


class Rated(NamedTuple):
    """A version's rating after a table."""

    rank: int
    mu: float
    sigma: float
    tables: int
    matches: int


Row = tuple[int, int, Rated]
"""ID of a table, ID of a version, and its rating after the table."""


def variants(arena: Arena) -> list[str]:
    """Return the variants of all tournaments that were created, sorted."""
    with arena.reading() as session:
        return list(session.scalars(select(Tournament.variant).distinct().order_by(Tournament.variant)))


def insecure_tables(arena: Arena) -> dict[str, int]:
    """Return the number of tables with a match played without a full cage, for each variant that has any."""
    counted = func.sum(Tournament.tables_insecure)
    with arena.reading() as session:
        found = session.execute(select(Tournament.variant, counted).group_by(Tournament.variant).having(counted > 0))
        return {variant: int(count) for variant, count in found}


def outdated(arena: Arena) -> dict[str, int]:
    """Return the ID of the first table whose ratings are to be computed again, for each variant that has one."""
    with arena.reading() as session:
        return _outdated(session)


def check_ratings(arena: Arena, variant: str) -> list[str]:
    """Return a sentence for each stored rating of a variant that differs from the ratings its records give.

    Ratings that are being computed again (`outdated`) are not compared with records.
    """
    with arena.reading() as session:
        return list(differences(session, variant))


def differences(session: Session, variant: str) -> Iterator[str]:
    """Yield the sentences of `check_ratings`. Reads table by table: memory grows only with the number of bots."""
    end = _outdated(session).get(variant)
    unread: list[str] = []
    computed = _rated(session, variant, _recorded(session, variant, end, unread))
    last: dict[int, Rated] = {}
    for table, expected, stored in _by_table(computed, _events(session, variant)):
        last.update(stored)
        if end is None or table < end:
            yield from _compare_events(table, expected, stored)
    yield from unread
    yield from _compare_current(last, _current(session, variant))


def _outdated(session: Session) -> dict[str, int]:
    cursors = session.execute(select(RatingCursor.variant, RatingCursor.due))
    return {variant: due for variant, due in cursors if due is not None}


def _recorded(session: Session, variant: str, end: int | None, unread: list[str]) -> Iterator[Result]:
    """Yield the results of counted tables before ID `end` in the order of their IDs, computed from the records.

    A table whose records cannot be read is noted in `unread`, and its stored ranks are used.
    """
    tables = select(Table.id, Tournament.boards, Tournament.seatings).join(Table.tournament).where(*counted(variant))
    if end is not None:
        tables = tables.where(Table.id < end)
    teams = rules_of(variant).teams
    for table_id, boards, mode in session.execute(tables.order_by(Table.id).execution_options(yield_per=BATCH)):
        seats = select(TableSeat.version_id, TableSeat.rank).where(TableSeat.table_id == table_id)
        versions, ranks = zip(*session.execute(seats.order_by(TableSeat.position)), strict=True)
        kind = kind_of(teams, len(versions), mode)
        try:
            ranks = tuple(standings.ranks(kind.half_points(_records(session, table_id))))
        except (RecordError, *DAMAGE) as error:
            unread.append(f"table {table_id}: its result cannot be read from its records: {error}")
        if None not in ranks:
            yield Result(table_id, versions, ranks, kind.own_matches(boards))


def _records(session: Session, table_id: int) -> list[dict[str, Any]]:
    """Return the records of a table's accepted matches, in the order of seatings."""
    packed = select(Match.record).where(Match.table_id == table_id, Match.superseded.is_(False)).order_by(Match.seating)
    return [unpack(record) for record in session.scalars(packed)]


def _rated(session: Session, variant: str, results: Iterable[Result]) -> Iterator[Row]:
    """Yield the changes of ratings that these results give."""
    counts: dict[int, tuple[int, int]] = {}
    for change in ratings.fold_eras(results, parameters.eras(session, variant)):
        tables, matches = counts.get(change.version, (0, 0))
        counts[change.version] = tables + 1, matches + change.result.matches
        yield change.result.table, change.version, Rated(change.rank, *change.rating, *counts[change.version])


def _events(session: Session, variant: str) -> Iterator[Row]:
    """Yield all events of the variant, in table order."""
    event = RatingEvent
    columns = (event.table_id, event.version_id, event.rank, event.mu, event.sigma, event.tables, event.matches)
    events = select(*columns).where(event.variant == variant).order_by(event.table_id)
    for row in session.execute(events.execution_options(yield_per=BATCH)):
        yield row.table_id, row.version_id, Rated._make(row[2:])


def _by_table(
    expected: Iterable[Row], stored: Iterable[Row]
) -> Iterator[tuple[int, Mapping[int, Rated], Mapping[int, Rated]]]:
    """Yield each table with the ratings by version of both sequences, which are in the order of tables."""
    marked = merge(((0, row) for row in expected), ((1, row) for row in stored), key=lambda one: one[1][0])
    for table, group in groupby(marked, key=lambda one: one[1][0]):
        sides: tuple[dict[int, Rated], dict[int, Rated]] = ({}, {})
        for side, (_, version, rated) in group:
            sides[side][version] = rated
        yield table, *sides


def _current(session: Session, variant: str) -> dict[int, Rated]:
    """Return the current ratings by version, with the rank 0."""
    return {
        row.version_id: Rated(0, row.mu, row.sigma, row.tables, row.matches)
        for row in session.scalars(select(CurrentRating).where(CurrentRating.variant == variant))
    }


def _compare_events(table: int, expected: Mapping[int, Rated], stored: Mapping[int, Rated]) -> Iterator[str]:
    for version in sorted(expected.keys() | stored.keys()):
        if version not in expected:
            yield f"table {table}, version {version}: event without a result"
        elif stored.get(version) != expected[version]:
            had, right = _shown(stored.get(version)), _shown(expected[version])
            yield f"table {table}, version {version}: the event is {had}, the records give {right}"


def _compare_current(last: Mapping[int, Rated], current: Mapping[int, Rated]) -> Iterator[str]:
    """Compare current ratings with the last event of each version."""
    for version in sorted(last.keys() | current.keys()):
        right = last[version]._replace(rank=0) if version in last else None
        if current.get(version) != right:
            had = _shown(current.get(version))
            yield f"version {version}: the rating is {had}, its last event gives {_shown(right)}"


def _shown(rated: Rated | None) -> str:
    if rated is None:
        return "missing"
    rank = f"rank {rated.rank}, " if rated.rank else ""
    return f"({rank}{rated.mu!r} ± {rated.sigma!r} after {rated.tables} tables, {rated.matches} matches)"
