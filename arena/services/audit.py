"""Compute the ratings again, from the stored records alone, and compare them bit for bit."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Match, Rating, RatingEvent, Table, TableSeat, Tournament
from arena.match.record import unpack
from arena.ratings import Change, Result
from arena.services import parameters
from arena.services.context import Arena
from arena.services.plans import rules_of
from arena.tournament import standings
from arena.tournament.tables import kind_of

Key = tuple[int, int]
"""A table and a version."""


def variants(arena: Arena) -> list[str]:
    """The variants that anything was started in."""
    with arena.reading() as session:
        return list(session.scalars(select(Tournament.variant).distinct().order_by(Tournament.variant)))


def insecure_tables(arena: Arena) -> dict[str, int]:
    """By variant, how many tables have a match that was played without a full cage; variants with none are left out."""
    counted = func.sum(Tournament.tables_insecure)
    with arena.reading() as session:
        found = session.execute(select(Tournament.variant, counted).group_by(Tournament.variant).having(counted > 0))
        return {variant: int(count) for variant, count in found}


def check_ratings(arena: Arena, variant: str) -> list[str]:
    """Where the stored ratings of a variant differ from what its records say; empty where they agree."""
    with arena.reading() as session:
        changes = list(ratings.fold(_recorded(session, variant), parameters.of(session, variant)))
        wrong = _compare_events(changes, _valid_events(session, variant))
        return wrong + _compare_current(changes, _current(session, variant))


def _recorded(session: Session, variant: str) -> Iterator[Result]:
    """The results of all tables that the ratings have taken in, by table id, computed from the records."""
    tables = session.execute(
        select(Table.id, Tournament.boards, Tournament.seatings)
        .join(Table.tournament)
        .where(Tournament.variant == variant, Table.state == "done", Table.number < Tournament.folded)
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
    """The records of a table's accepted matches in order."""
    packed = select(Match.record).where(Match.table_id == table_id, Match.superseded.is_(False)).order_by(Match.seating)
    return [unpack(record) for record in session.scalars(packed)]


def _valid_events(session: Session, variant: str) -> dict[Key, RatingEvent]:
    """The latest event of every table and version, as far as the table still counts."""
    events = session.scalars(
        select(RatingEvent)
        .join(Table, Table.id == RatingEvent.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(RatingEvent.variant == variant, Table.state == "done", Table.number < Tournament.folded)
        .order_by(RatingEvent.revision)
    )
    return {(event.table_id, event.version_id): event for event in events}


def _current(session: Session, variant: str) -> dict[int, Rating]:
    return {rating.version_id: rating for rating in session.scalars(select(Rating).where(Rating.variant == variant))}


def _compare_events(changes: Iterable[Change], events: Mapping[Key, RatingEvent]) -> list[str]:
    wrong = []
    due = {(change.result.table, change.version): change for change in changes}
    for key, change in due.items():
        event = events.get(key)
        stored = (event.rank, event.mu, event.sigma) if event else None
        computed = (change.rank, *change.rating)
        if stored != computed:
            wrong.append(f"table {key[0]}, version {key[1]}: the event says {stored}, the records say {computed}")
    strays = sorted(events.keys() - due.keys())
    return wrong + [f"table {table}, version {version}: an event without a result" for table, version in strays]


def _compare_current(changes: Iterable[Change], stored: Mapping[int, Rating]) -> list[str]:
    wrong = []
    tables: dict[int, int] = {}
    last: dict[int, Change] = {}
    for change in changes:
        tables[change.version] = tables.get(change.version, 0) + 1
        last[change.version] = change
    for version in sorted(last.keys() | stored.keys()):
        row = stored.get(version)
        told = (row.mu, row.sigma, row.tables) if row else None
        computed = (*last[version].rating, tables[version]) if version in last else None
        if told != computed:
            wrong.append(f"version {version}: its rating is {told}, the records say {computed}")
    return wrong
