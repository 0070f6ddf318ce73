"""Audit of ratings: recompute them from the stored records alone, and compare them bit for bit."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import CurrentRating, Match, RatingCursor, RatingEvent, Table, TableSeat, Tournament
from arena.games.registry import rules_of
from arena.match.record import unpack
from arena.ratings import Change, Result
from arena.services.base.context import Arena
from arena.services.ratings import parameters
from arena.services.ratings.events import CURRENT
from arena.services.ratings.results import counted
from arena.tournament import standings
from arena.tournament.tables import kind_of

Key = tuple[int, int]
"""IDs of a table and a version."""


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
        end = _outdated(session).get(variant)
        changes = ratings.fold_eras(_recorded(session, variant, end), parameters.eras(session, variant))
        events = _events(session, variant)
        checked = {key: event for key, event in events.items() if end is None or key[0] < end}
        return _compare_events(changes, checked) + _compare_current(events.values(), _current(session, variant))


def _outdated(session: Session) -> dict[str, int]:
    cursors = session.execute(select(RatingCursor.variant, RatingCursor.due))
    return {variant: due for variant, due in cursors if due is not None}


def _recorded(session: Session, variant: str, end: int | None) -> Iterator[Result]:
    """Yield the results of counted tables before ID `end` in the order of their IDs, computed from the records."""
    tables = select(Table.id, Tournament.boards, Tournament.seatings).join(Table.tournament).where(*counted(variant))
    if end is not None:
        tables = tables.where(Table.id < end)
    teams = rules_of(variant).teams
    for table_id, boards, mode in session.execute(tables.order_by(Table.id)).all():
        seats = select(TableSeat.version_id).where(TableSeat.table_id == table_id).order_by(TableSeat.position)
        versions = tuple(session.scalars(seats))
        kind = kind_of(teams, len(versions), mode)
        points = kind.half_points(_records(session, table_id))
        yield Result(table_id, versions, tuple(standings.ranks(points)), kind.own_matches(boards))


def _records(session: Session, table_id: int) -> list[dict[str, Any]]:
    """Return the records of a table's accepted matches, in the order of seatings."""
    packed = select(Match.record).where(Match.table_id == table_id, Match.superseded.is_(False)).order_by(Match.seating)
    return [unpack(record) for record in session.scalars(packed)]


def _events(session: Session, variant: str) -> dict[Key, RatingEvent]:
    """Return all events of the variant, in table order."""
    events = session.scalars(select(RatingEvent).where(RatingEvent.variant == variant).order_by(RatingEvent.table_id))
    return {(event.table_id, event.version_id): event for event in events}


def _current(session: Session, variant: str) -> dict[int, CurrentRating]:
    return {
        rating.version_id: rating
        for rating in session.scalars(select(CurrentRating).where(CurrentRating.variant == variant))
    }


def _compare_events(changes: Iterable[Change], events: Mapping[Key, RatingEvent]) -> list[str]:
    differences = []
    expected = {(change.result.table, change.version): values for change, *values in _counted(changes)}
    for key, computed in expected.items():
        event = events.get(key)
        stored = [event.rank, event.mu, event.sigma, event.tables, event.matches] if event else None
        if stored != computed:
            differences.append(f"table {key[0]}, version {key[1]}: the event is {stored}, the records give {computed}")
    strays = sorted(events.keys() - expected.keys())
    return differences + [f"table {table}, version {version}: event without a result" for table, version in strays]


def _counted(changes: Iterable[Change]) -> Iterator[tuple[Any, ...]]:
    """Yield each change with its rank, mu, sigma, and the version's numbers of tables and matches so far."""
    tables, matches = Counter[int](), Counter[int]()
    for change in changes:
        tables[change.version] += 1
        matches[change.version] += change.result.matches
        yield change, change.rank, *change.rating, tables[change.version], matches[change.version]


def _compare_current(events: Iterable[RatingEvent], current: Mapping[int, CurrentRating]) -> list[str]:
    """Compare current ratings with the last event of each version."""
    differences = []
    last = {event.version_id: event for event in events}
    for version in sorted(last.keys() | current.keys()):
        stored, expected = (
            [getattr(row, name) for name in CURRENT] if row else None
            for row in (current.get(version), last.get(version))
        )
        if stored != expected:
            differences.append(f"version {version}: the rating is {stored}, its last event gives {expected}")
    return differences
