"""Circles: the order of places at each table of a tournament.

Rotations keep neighbours together: the bot in place 1 plays directly after the bot in place 0 in every match of the
table, and the bot in the last place directly before it. Playing directly after a weak bot rather than directly before
it can gain as much as a new version does, so no pair of bots should keep its distance from table to table.

Tables are therefore seated in order, each compensating for earlier ones. The *excess* of two bots x, y is the number of
tables at which y sat directly after x, times the number of places minus one, minus the number of tables at which both
sat: 0 if y has had every distance from x equally often. The bots of a table are shuffled by its seed. The first one
starts a circle. Each of the others joins the circle in the gap between neighbours x, z with the least excess(x, y) +
excess(y, z) - excess(x, z), and in the first of several such gaps, counted from the bot that started the circle.

Places follow from the tournament's seed and the entries at each table, so anyone can derive them again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from types import MappingProxyType
from typing import Final

from arena.games.boards import shuffled
from arena.games.chance import places_rng, table_seed
from arena.tournament.formats.base import Table

Excess = Mapping[tuple[int, int], int]
"""Excess of two entries, in order; 0 if missing."""

NONE: Final[Excess] = MappingProxyType({})
"""Excess before the first table."""


class Circles:
    """Seats the tables of a tournament in order."""

    def __init__(self, seed: bytes, kept: int = 0, excess: Excess = NONE) -> None:
        """Start with the tournament's seed. The `kept` lowest entries of every table take its first places."""
        self.seed = seed
        self.kept = kept
        self.excess: Counter[tuple[int, int]] = Counter(excess)

    def seat(self, number: int, entries: Iterable[int]) -> Table:
        """Seat the next table, `number`, and return its entries by place."""
        table = self.places(number, entries)
        self.add(table)
        return table

    def places(self, number: int, entries: Iterable[int]) -> Table:
        """Return the entries of a table by place, given the tables added so far."""
        bots = sorted(entries)
        bots[self.kept :] = shuffled(bots[self.kept :], places_rng(table_seed(self.seed, number)))
        return circle(bots, self.excess, max(self.kept, 1))

    def add(self, table: Sequence[int]) -> None:
        """Count the neighbours at a table, given by place."""
        self.excess.update(dict(added(table)))


def circle(bots: Sequence[int], excess: Excess, first: int = 1) -> Table:
    """Return bots by place. The first `first` bots start side by side, and the others join one by one."""
    seated = list(bots[:first])
    for bot in bots[first:]:
        gaps = range(first - 1, len(seated))
        best = min(gaps, key=lambda gap: _detour(seated[gap], bot, seated[(gap + 1) % len(seated)], excess))
        seated.insert(best + 1, bot)
    return tuple(seated)


def added(table: Sequence[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the excess that a table adds to each ordered pair of its entries."""
    following = set(zip(table, [*table[1:], *table[:1]], strict=True))
    for pair in permutations(table, 2):
        yield pair, len(table) - 2 if pair in following else -1


def _detour(x: int, y: int, z: int, excess: Excess) -> int:
    """Return the excess that the circle gains if y joins between x and z."""
    return excess.get((x, y), 0) + excess.get((y, z), 0) - excess.get((x, z), 0)
