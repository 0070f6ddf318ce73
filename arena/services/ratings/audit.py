"""Audit of ratings: recompute them from the stored records alone, and compare them bit for bit."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import CurrentRating, Match, RatingEvent, Table, TableSeat, Tournament
from arena.games.registry import rules_of
from arena.match.record import unpack
from arena.ratings import Change, Result
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.ratings import parameters
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


def check_ratings(arena: Arena, variant: str) -> list[str]:
    """Return a sentence for each stored rating of a variant that differs from the ratings its records give."""
    with arena.reading() as session:
        changes = list(ratings.fold_eras(_recorded(session, variant), parameters.eras(session, variant)))
        differences = _compare_events(changes, _valid_events(session, variant))
        return differences + _compare_current(changes, _current(session, variant))


def _recorded(session: Session, variant: str) -> Iterator[Result]:
    """Yield the results of all folded tables in the order of their IDs, computed from the records."""
    tables = session.execute(
        select(Table.id, Tournament.boards, Tournament.seatings)
        .join(Table.tournament)
        .where(Tournament.variant == variant, Table.state == TableState.DONE, Table.number < Tournament.folded)
        .order_by(Table.id)
    ).all()
    teams = rules_of(variant).teams
    for table_id, boards, mode in tables:
        seats = select(TableSeat.version_id).where(TableSeat.table_id == table_id).order_by(TableSeat.position)
        versions = tuple(session.scalars(seats))
        kind = kind_of(teams, len(versions), mode)
        points = kind.half_points(_records(session, table_id))
        yield Result(table_id, versions, tuple(standings.ranks(points)), kind.own_matches(boards))


def _records(session: Session, table_id: int) -> list[dict[str, Any]]:
    """Return the records of a table's accepted matches, in the order of seatings."""
    packed = select(Match.record).where(Match.table_id == table_id, Match.superseded.is_(False)).order_by(Match.seating)
    return [unpack(record) for record in session.scalars(packed)]


def _valid_events(session: Session, variant: str) -> dict[Key, RatingEvent]:
    """Return the latest event of each version at each table that still counts."""
    events = session.scalars(
        select(RatingEvent)
        .join(Table, Table.id == RatingEvent.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(RatingEvent.variant == variant, Table.state == TableState.DONE, Table.number < Tournament.folded)
        .order_by(RatingEvent.revision)
    )
    return {(event.table_id, event.version_id): event for event in events}


def _current(session: Session, variant: str) -> dict[int, CurrentRating]:
    return {
        rating.version_id: rating
        for rating in session.scalars(select(CurrentRating).where(CurrentRating.variant == variant))
    }


def _compare_events(changes: Iterable[Change], events: Mapping[Key, RatingEvent]) -> list[str]:
    differences = []
    expected = {(change.result.table, change.version): change for change in changes}
    for key, change in expected.items():
        event = events.get(key)
        stored = (event.rank, event.mu, event.sigma) if event else None
        computed = (change.rank, *change.rating)
        if stored != computed:
            differences.append(f"table {key[0]}, version {key[1]}: the event is {stored}, the records give {computed}")
    strays = sorted(events.keys() - expected.keys())
    return differences + [f"table {table}, version {version}: event without a result" for table, version in strays]


def _compare_current(changes: Iterable[Change], current: Mapping[int, CurrentRating]) -> list[str]:
    differences = []
    tables: dict[int, int] = {}
    last: dict[int, Change] = {}
    for change in changes:
        tables[change.version] = tables.get(change.version, 0) + 1
        last[change.version] = change
    for version in sorted(last.keys() | current.keys()):
        row = current.get(version)
        stored = (row.mu, row.sigma, row.tables) if row else None
        computed = (*last[version].rating, tables[version]) if version in last else None
        if stored != computed:
            differences.append(f"version {version}: the rating is {stored}, the records give {computed}")
    return differences
