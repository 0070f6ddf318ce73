"""Groups that act on points: the affine maps x -> h·x + g of a ring, on copies of it and optionally a fixed point.

Copy c of element x is point c·size + x; the fixed point is the last one. `h` runs through a group of units, `g` through
the ring. Pairs of points that the group maps to each other form a class. A design that is invariant under the group
contains all pairs of a class equally often, so it is enough to count classes instead of pairs.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from arena.tournament.designs.order import scattered
from arena.tournament.designs.rings import Ring

Block = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Ground:
    """Points, with the number of the difference of each pair."""

    ring: Ring
    copies: int
    fixed: bool
    difference: list[list[int]]
    """Number of the difference by two points, in either order."""
    pairs: list[int]
    """Number of pairs by difference."""
    samples: list[tuple[int, int]]
    """One pair for each difference."""

    @property
    def points(self) -> int:
        """Number of points."""
        return len(self.difference)


class GroupAction(NamedTuple):
    """Group of maps on a ground."""

    ground: Ground
    units: tuple[int, ...]
    """Group of units, 1 first."""
    classes: list[int]
    """Class of the pairs by difference."""
    pairs: list[int]
    """Number of pairs by class."""

    @property
    def order(self) -> int:
        """Number of maps."""
        return len(self.units) * self.ground.ring.size

    def images(self, block: Sequence[int]) -> Iterator[Block]:
        """Yield the image of a block under every map, unit by unit, with the added elements in scattered order."""
        for unit in self.units:
            for element in scattered(self.ground.ring.size):
                yield self.image(block, unit, element)

    def image(self, block: Sequence[int], unit: int, element: int) -> Block:
        """Return the image of a block under one map, in ascending order."""
        return tuple(sorted(self._move(point, unit, element) for point in block))

    def _move(self, point: int, unit: int, element: int) -> int:
        ring = self.ground.ring
        copy, x = divmod(point, ring.size)
        return point if copy == self.ground.copies else copy * ring.size + ring.add[ring.mul[unit][x]][element]

    def orbit(self, block: Block) -> list[Block]:
        """Return all distinct images of the block."""
        return sorted(set(self.images(block)))

    def orbit_size(self, block: Block) -> int:
        """Return the number of distinct images.

        It is the number under shifts, times the number under units that are not shifts of each other.
        """
        return _orbit_size(self.ground, self.units, block)

    def held(self, block: Sequence[int]) -> list[int]:
        """Return the number of pairs of the block by class."""
        counts = [0] * len(self.pairs)
        for a, b in combinations(block, 2):
            counts[self.classes[self.ground.difference[a][b]]] += 1
        return counts


@lru_cache(32)
def ground(ring_of: Callable[[int], Ring], size: int, copies: int, fixed: bool) -> Ground:
    """Return the ground of `copies` copies of a ring, with a fixed point if asked for."""
    ring = ring_of(size)
    points = size * copies + fixed
    difference = [[0] * points for _ in range(points)]
    keys: dict[tuple[int, ...], int] = {}
    pairs: list[int] = []
    samples: list[tuple[int, int]] = []
    negative = [ring.minus(x) for x in range(size)]
    for a, b in combinations(range(points), 2):
        (i, x), (j, y) = divmod(a, size), divmod(b, size)
        key = (i, j) if j == copies else (i, j, ring.add[y][negative[x]])
        number = keys.get(key)
        if number is None:
            number = keys[key] = len(pairs)
            if i == j:
                keys[i, j, ring.add[x][negative[y]]] = number
            pairs.append(0)
            samples.append((a, b))
        difference[a][b] = difference[b][a] = number
        pairs[number] += 1
    return Ground(ring, copies, fixed, difference, pairs, samples)


@lru_cache(256)
def action(on: Ground, units: tuple[int, ...]) -> GroupAction:
    """Return the group of all maps with these units."""
    bare = GroupAction(on, units, [], [])
    classes: list[int] = [-1] * len(on.pairs)
    sizes: list[int] = []
    for number, pair in enumerate(on.samples):
        if classes[number] < 0:
            orbit = {on.difference[a][b] for a, b in (bare.image(pair, unit, 0) for unit in units)}
            for other in orbit:
                classes[other] = len(sizes)
            sizes.append(sum(on.pairs[other] for other in orbit))
    return GroupAction(on, units, classes, sizes)


@lru_cache(1024)
def _orbit_size(on: Ground, units: tuple[int, ...], block: Block) -> int:
    act = action(on, units)
    home = _home(act, block)
    turned = {min(_home(act, act.image(block, unit, 0))) for unit in units}
    return len(turned) * on.ring.size * len(set(home)) // len(home)


def _home(act: GroupAction, block: Block) -> list[Block]:
    """Return the block shifted so that each of its points in its first copy in turn is zero."""
    size = act.ground.ring.size
    copy = block[0] // size
    shifts = [act.ground.ring.minus(point % size) for point in block if point // size == copy]
    return [act.image(block, act.units[0], shift) for shift in shifts]
