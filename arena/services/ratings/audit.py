"""Audit of ratings: recompute them from the stored records alone, and compare them bit for bit."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import CurrentRating, Match, RatingEvent, Table, TableSeat, Tournament
from arena.games.errors import RecordError
from arena.games.registry import rules_of
from arena.match.record import DAMAGE, unpack
from arena.ratings import Result
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.ratings import parameters
from arena.tournament import standings
from arena.tournament.tables import kind_of

BATCH: Final = 1000
"""Number of rows read at a time."""


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


def check_ratings(arena: Arena, variant: str) -> list[str]:
    """Return a sentence for each stored rating of a variant that differs from the ratings its records give."""
    with arena.reading() as session:
        return list(differences(session, variant))


def differences(session: Session, variant: str) -> Iterator[str]:
    """Yield the sentences of `check_ratings`. Reads tables one by one, so memory grows only with the number of bots."""
    unread: list[str] = []
    results = _recorded(session, variant, unread)
    last: dict[int, _Rated] = {}
    for table, expected, stored in _by_table(_rated(session, variant, results, last), _valid_events(session, variant)):
        yield from (unread.pop() for _ in unread[:])
        yield from _compare_events(table, expected, stored)
    yield from unread
    yield from _compare_current(last, _current(session, variant))


class _Rated(NamedTuple):
    """A version's rating after a table."""

    rank: int
    mu: float
    sigma: float
    tables: int
    matches: int


def _recorded(session: Session, variant: str, unread: list[str]) -> Iterator[Result]:
    """Yield the results of all folded tables in the order of their IDs, computed from the records.

    A table with an unreadable record is noted in `unread`, and its stored ranks are used.
    """
    tables = session.execute(
        select(Table.id, Tournament.boards, Tournament.seatings)
        .join(Table.tournament)
        .where(Tournament.variant == variant, Table.state == TableState.DONE, Table.number < Tournament.folded)
        .order_by(Table.id)
        .execution_options(yield_per=BATCH)
    )
    teams = rules_of(variant).teams
    for table_id, boards, mode in tables:
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


def _rated(
    session: Session, variant: str, results: Iterable[Result], last: dict[int, _Rated]
) -> Iterator[tuple[int, int, _Rated]]:
    """Yield table, version and rating of each change that the results give; `last` gets those of each version."""
    for change in ratings.fold_eras(results, parameters.eras(session, variant)):
        before = last.get(change.version)
        tables, matches = (before.tables, before.matches) if before else (0, 0)
        now = _Rated(change.rank, *change.rating, tables + 1, matches + change.result.matches)
        last[change.version] = now
        yield change.result.table, change.version, now


def _valid_events(session: Session, variant: str) -> Iterator[tuple[int, int, _Rated]]:
    """Yield table, version and rating of each event that still counts, the latest revision of a key last."""
    event = RatingEvent
    columns = (event.table_id, event.version_id, event.rank, event.mu, event.sigma, event.tables, event.matches)
    events = session.execute(
        select(*columns)
        .join(Table, Table.id == event.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(event.variant == variant, Table.state == TableState.DONE, Table.number < Tournament.folded)
        .order_by(event.table_id, event.revision)
        .execution_options(yield_per=BATCH)
    )
    return ((row.table_id, row.version_id, _Rated._make(row[2:])) for row in events)


def _by_table(
    expected: Iterable[tuple[int, int, _Rated]], stored: Iterable[tuple[int, int, _Rated]]
) -> Iterator[tuple[int, dict[int, _Rated], dict[int, _Rated]]]:
    """Yield each table with the ratings by version of both sequences, which are in the order of tables."""
    marked = merge(((0, row) for row in expected), ((1, row) for row in stored), key=lambda one: one[1][0])
    for table, group in groupby(marked, key=lambda one: one[1][0]):
        sides: tuple[dict[int, _Rated], dict[int, _Rated]] = ({}, {})
        for side, (_, version, rated) in group:
            sides[side][version] = rated
        yield table, *sides


def _current(session: Session, variant: str) -> dict[int, _Rated]:
    """Return the current ratings by version, with the rank 0."""
    query = select(CurrentRating).where(CurrentRating.variant == variant)
    return {
        row.version_id: _Rated(0, row.mu, row.sigma, row.tables, row.matches)
        for row in session.scalars(query.execution_options(yield_per=BATCH))
    }


def _compare_events(table: int, expected: Mapping[int, _Rated], stored: Mapping[int, _Rated]) -> Iterator[str]:
    for version in sorted(expected.keys() | stored.keys()):
        if version not in expected:
            yield f"table {table}, version {version}: event without a result"
        elif stored.get(version) != expected[version]:
            had, right = _shown(stored.get(version)), _shown(expected[version])
            yield f"table {table}, version {version}: the event is {had}, the records give {right}"


def _compare_current(last: Mapping[int, _Rated], current: Mapping[int, _Rated]) -> Iterator[str]:
    for version in sorted(last.keys() | current.keys()):
        right = last[version]._replace(rank=0) if version in last else None
        if current.get(version) != right:
            had = _shown(current.get(version))
            yield f"version {version}: the rating is {had}, the records give {_shown(right)}"


def _shown(rated: _Rated | None) -> str:
    if rated is None:
        return "missing"
    rank = f"rank {rated.rank}, " if rated.rank else ""
    return f"({rank}{rated.mu!r} ± {rated.sigma!r} after {rated.tables} tables, {rated.matches} matches)"
