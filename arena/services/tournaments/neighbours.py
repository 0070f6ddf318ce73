"""Seat the entries of tables so that all pairs are neighbours equally often. See `arena.tournament.circles`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import Any, Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, TableSeat, Tournament, TournamentNeighbours
from arena.db.upsert import count_up
from arena.games.registry import LEADERBOARDS, rules_of
from arena.tournament.circles import Circles
from arena.tournament.seatings import kept

Numbered = tuple[int, Sequence[int]]
"""Number of a table and its entries."""

Excess = dict[tuple[int, int], int]
"""Excess of pairs of entries, in both orders."""

_PAIR: Final = TournamentNeighbours
_ALL: Final = select(_PAIR.a, _PAIR.b, _PAIR.forward, _PAIR.backward).where(
    _PAIR.tournament_id == bindparam("tournament")
)
# Built once: a batch of tables executes it many times, and building it takes as long as executing it.
_AMONG: Final = _ALL.where(_PAIR.a.in_(bindparam("a", expanding=True)), _PAIR.b.in_(bindparam("b", expanding=True)))

TOGETHER: Final = 8
"""Number of tables whose pairs are read in one query. It reads all pairs of their entries, few of which meet."""


def seat(session: Session, tournament: Tournament, tables: Sequence[Numbered]) -> Sequence[Numbered]:
    """Return the next tables of a locked tournament with their entries by place.

    Solitaire tables are returned unchanged, because their entries have no neighbours.
    """
    if len(rules_of(tournament.variant).teams) == 1:
        return tables
    circles = Circles(tournament.seed, kept(tournament.seatings), _excess_at(session, tournament.id, tables))
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
    counted, stored = _counted(session, tournament), Counter(_stored(session, tournament))
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


def _stored(session: Session, tournament: Tournament) -> Excess:
    """Return the stored excess of all pairs."""
    return _both_ways(session.execute(_ALL, {"tournament": tournament.id}))


def _excess_at(session: Session, tournament_id: int, tables: Sequence[Numbered]) -> Excess:
    """Return the excess so far of all pairs that meet at these tables."""
    excess: Excess = {}
    for first in range(0, len(tables), TOGETHER):
        meeting = {pair for _, table in tables[first : first + TOGETHER] for pair in combinations(sorted(table), 2)}
        unread = meeting - excess.keys()
        if unread:
            a, b = map(set, zip(*unread, strict=True))
            read = session.connection().execute(_AMONG, {"tournament": tournament_id, "a": sorted(a), "b": sorted(b)})
            excess |= dict.fromkeys(unread, 0) | _both_ways(read)
    return excess


def _both_ways(rows: Iterable[Sequence[Any]]) -> Excess:
    """Return the excess in both orders from rows of two entries, the excess forwards and the excess backwards."""
    excess = {}
    for a, b, forward, backward in rows:
        excess[a, b], excess[b, a] = forward, backward
    return excess


def _rows(tournament_id: int, gained: Mapping[tuple[int, int], int]) -> Iterator[dict[str, int]]:
    for (a, b), forward in gained.items():
        backward = gained[b, a]
        if a < b and (forward or backward):
            yield {"tournament_id": tournament_id, "a": a, "b": b, "forward": forward, "backward": backward}


def _tables(session: Session, tournament: Tournament) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the number of each table and its entries by place; nothing if the entries have no neighbours."""
    if tournament.variant not in LEADERBOARDS or len(rules_of(tournament.variant).teams) == 1:
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
