"""Seat the entries of tables so that all pairs are neighbours equally often. See `arena.tournament.circles`."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament, TournamentNeighbours
from arena.db.upsert import count_up
from arena.games.registry import VARIANTS, rules_of
from arena.tournament.circles import Circles
from arena.tournament.seatings import kept

Numbered = tuple[int, Sequence[int]]
"""Number of a table and its entries."""


def seat(session: Session, tournament: Tournament, tables: Sequence[Numbered]) -> Sequence[Numbered]:
    """Return the next tables of a locked tournament with their entries by place.

    Solitaire tables are returned unchanged, because their entries have no neighbours.
    """
    if len(rules_of(tournament.variant).teams) == 1:
        return tables
    circles = _circles(session, tournament, {entry for _, table in tables for entry in table})
    before = Counter(circles.excess)
    seated = [(number, circles.seat(number, table)) for number, table in tables]
    gained = Counter(circles.excess)
    gained.subtract(before)
    count_up(session, TournamentNeighbours, list(_rows(tournament.id, gained)))
    return seated


def check(session: Session) -> Iterator[str]:
    """Yield a sentence for each tournament whose stored counts of neighbours differ from its tables."""
    for tournament in session.scalars(select(Tournament).where(Tournament.variant.in_(VARIANTS))).all():
        if len(rules_of(tournament.variant).teams) > 1:
            counted = Circles(tournament.seed)
            for table in _tables(session, tournament.id):
                counted.add(table)
            if counted.excess != _circles(session, tournament).excess:
                yield f"tournament {tournament.id}: its counts of neighbours differ from its tables"


def _circles(session: Session, tournament: Tournament, entries: Collection[int] | None = None) -> Circles:
    """Load the circles of a tournament so far, for these entries or all."""
    pair = TournamentNeighbours
    among = [] if entries is None else [pair.a.in_(entries), pair.b.in_(entries)]
    query = select(pair.a, pair.b, pair.forward, pair.backward).where(pair.tournament_id == tournament.id, *among)
    excess = {}
    for a, b, forward, backward in session.execute(query):
        excess[a, b], excess[b, a] = forward, backward
    return Circles(tournament.seed, kept(tournament.seatings), excess)


def _rows(tournament_id: int, gained: Mapping[tuple[int, int], int]) -> Iterator[dict[str, int]]:
    for (a, b), forward in gained.items():
        backward = gained[b, a]
        if a < b and (forward or backward):
            yield {"tournament_id": tournament_id, "a": a, "b": b, "forward": forward, "backward": backward}


def _tables(session: Session, tournament_id: int) -> Iterator[list[int]]:
    """Yield the entries of each table by place."""
    rows = session.execute(
        select(TableSeat.table_id, Entry.number)
        .join(Table, Table.id == TableSeat.table_id)
        .join(Entry, (Entry.tournament_id == Table.tournament_id) & (Entry.version_id == TableSeat.version_id))
        .where(Table.tournament_id == tournament_id)
        .order_by(TableSeat.table_id, TableSeat.position)
    )
    for _, seats in groupby(rows, key=lambda row: row.table_id):
        yield [seat.number for seat in seats]
