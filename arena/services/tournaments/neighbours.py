"""Seat the entries of tables so that all pairs are neighbours equally often. See `arena.tournament.circles`."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from sqlalchemy import delete, select
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


def misplaced(session: Session, tournament: Tournament) -> Iterator[str]:
    """Yield a sentence for each table whose places do not follow from the tournament's seed and its earlier tables."""
    circles = Circles(tournament.seed, kept(tournament.seatings))
    for number, table in _tables(session, tournament):
        places = circles.places(number, table)
        if number >= tournament.balanced_from and places != table:
            yield f"table number {number} seats the entries {table}; the seed places them as {places}"
        circles.add(table)


def miscounted(session: Session, tournament: Tournament) -> Iterator[str]:
    """Yield a sentence for each pair of entries whose stored balance of places differs from the tables."""
    counted, stored = _counted(session, tournament), _circles(session, tournament).excess
    for a, b in sorted(counted.keys() | stored.keys()):
        if a < b and (counted[a, b], counted[b, a]) != (stored[a, b], stored[b, a]):
            yield (
                f"its balance of places of the entries {a} and {b} is ({stored[a, b]}, {stored[b, a]}); "
                f"its tables give ({counted[a, b]}, {counted[b, a]})"
            )


def recount(session: Session, tournament: Tournament) -> None:
    """Replace the stored balance of places by that of the tables."""
    session.execute(delete(TournamentNeighbours).where(TournamentNeighbours.tournament_id == tournament.id))
    count_up(session, TournamentNeighbours, list(_rows(tournament.id, _counted(session, tournament))))


def _counted(session: Session, tournament: Tournament) -> Counter[tuple[int, int]]:
    """Return the excess of all pairs, counted from the tables."""
    circles = Circles(tournament.seed)
    for _, table in _tables(session, tournament):
        circles.add(table)
    return circles.excess


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


def _tables(session: Session, tournament: Tournament) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the number of each table and its entries by place; nothing if the entries have no neighbours."""
    if tournament.variant not in VARIANTS or len(rules_of(tournament.variant).teams) == 1:
        return
    rows = session.execute(
        select(TableSeat.table_id, Table.number, Entry.number.label("entry"))
        .join(Table, Table.id == TableSeat.table_id)
        .join(Entry, (Entry.tournament_id == Table.tournament_id) & (Entry.version_id == TableSeat.version_id))
        .where(Table.tournament_id == tournament.id)
        .order_by(TableSeat.table_id, TableSeat.position)
    )
    for _, group in groupby(rows, key=lambda row: row.table_id):
        seats = list(group)
        yield seats[0].number, tuple(seat.entry for seat in seats)
