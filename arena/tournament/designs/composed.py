"""Designs composed of smaller ones.

Points are divided into groups. Blocks across the groups contain the pairs of points from two groups; a design on each
group contains the other pairs; a point at infinity may belong to all groups. The blocks across come from a design whose
points are the groups, each block replaced by a transversal design (`Inflated`), or from a transversal design with one
group cut short, each block replaced by a design on its points (`Truncated`). Both are simple cases of Wilson's
fundamental construction (1972).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from arena.tournament.designs.actions import Block
from arena.tournament.designs.order import evenly, scattered
from arena.tournament.designs.rings import fields, prime_powers, smallest_field

Blocks: TypeAlias = Callable[[], Iterator[Block]]
"""Returns a new iterator over the blocks of a design."""


@dataclass(frozen=True)
class Inflated:
    """Recipe with groups of equal width."""

    groups: int
    width: int
    size: int
    infinity: int
    """1 with a point at infinity, 0 without."""

    @property
    def parts(self) -> tuple[int, ...]:
        """Numbers of points of the parts."""
        return self.groups, self.width + self.infinity

    def blocks(self, across: Blocks, within: Blocks) -> Iterator[Block]:
        """Yield the blocks, given those of the parts."""
        starts = [group * self.width for group in range(self.groups)]
        inside = _within([(start, self.width, within) for start in starts], self.groups * self.width)
        return evenly(self._outside(across), _count(across) * self.width**2, inside, _count(within) * self.groups)

    def _outside(self, across: Blocks) -> Iterator[Block]:
        cells = list(transversal(self.size, self.width))
        for first in range(0, len(cells), self.width):
            for block in across():
                for cell in cells[first : first + self.width]:
                    yield tuple(group * self.width + x for group, x in zip(block, cell, strict=True))


@dataclass(frozen=True)
class Truncated:
    """Recipe with groups of equal width and a last group that is shorter."""

    groups: int
    width: int
    rest: int
    """Width of the last group."""
    infinity: int

    @property
    def parts(self) -> tuple[int, ...]:
        """Numbers of points of the parts."""
        return self.groups, self.groups + 1, self.width + self.infinity, self.rest + self.infinity

    def blocks(self, short: Blocks, long: Blocks, within: Blocks, rest: Blocks) -> Iterator[Block]:
        """Yield the blocks, given those of the parts."""
        groups = [(group * self.width, self.width, within) for group in range(self.groups)]
        last = self.groups * self.width
        inside = _within([*groups, (last, self.rest, rest)], last + self.rest)
        inside_count = _count(within) * self.groups + _count(rest)
        outside_count = self.width * (_count(long) * self.rest + _count(short) * (self.width - self.rest))
        return evenly(self._outside(list(short()), list(long())), outside_count, inside, inside_count)

    def _outside(self, short: Sequence[Block], long: Sequence[Block]) -> Iterator[Block]:
        cells = list(transversal(self.groups + 1, self.width))
        inner = {self.groups: short, self.groups + 1: long}
        for first in range(0, len(cells), self.width):
            lines = [self._points(cell) for cell in cells[first : first + self.width]]
            for number in range(max(map(len, inner.values()))):
                for line in lines:
                    if number < len(inner[len(line)]):
                        yield tuple(line[x] for x in inner[len(line)][number])

    def _points(self, cell: Sequence[int]) -> list[int]:
        kept = cell if cell[-1] < self.rest else cell[:-1]
        return [group * self.width + x for group, x in enumerate(kept)]


def _within(groups: list[tuple[int, int, Blocks]], infinity: int) -> Iterator[Block]:
    """Yield the blocks of a design on each group, taking turns. A group is its first point, width and design."""
    for turn in zip_longest(*(design() for _, _, design in groups)):
        for (start, width, _), block in zip(groups, turn, strict=True):
            if block is not None:
                yield tuple(infinity if x == width else start + x for x in block)


def _count(blocks: Blocks) -> int:
    return sum(1 for _ in blocks())


def recipes(points: int, size: int) -> Iterator[Inflated | Truncated]:
    """Return recipes for a design, those with the smallest largest part first."""
    found: list[Inflated | Truncated] = [*_inflations(points, size), *_truncations(points, size)]
    return iter(sorted(found, key=lambda recipe: sorted(recipe.parts, reverse=True)))


def _inflations(points: int, size: int) -> Iterator[Inflated]:
    for infinity in (0, 1):
        for width in range(2, points // size + 1):
            groups, rest = divmod(points - infinity, width)
            if groups >= size and not rest and most_groups(width) >= size:
                yield Inflated(groups, width, size, infinity)


def _truncations(points: int, size: int) -> Iterator[Truncated]:
    for infinity in (0, 1):
        for width in range(size, points // size + 1):
            groups, rest = divmod(points - infinity, width)
            if groups >= size and rest and most_groups(width) > groups:
                yield Truncated(groups, width, rest, infinity)


def most_groups(size: int) -> int:
    """Return the largest number of groups of this size that `transversal` can make (MacNeish 1922).

    For many sizes, designs with more groups are known by other constructions.
    """
    return smallest_field(size) + 1 if size > 1 else 0


def transversal(groups: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield the size² blocks of a transversal design: for each group, the number of its point (0 to `size` - 1).

    Every two points of two groups are in exactly one block. `groups` is at most `most_groups(size)`. In block (a, b),
    group i has a·i + b, and an extra last group has a. Blocks with equal a follow one another and share no point but
    that of the extra group.
    """
    ring, field = fields(size), smallest_field(size)
    slopes = _diagonal(size)[: min(groups, field)]
    extra = groups > field
    for a in scattered(size):
        for b in scattered(size):
            block = [ring.add[ring.mul[a][slope]][b] for slope in slopes]
            yield (*block, a) if extra else tuple(block)


def _diagonal(size: int) -> list[int]:
    """Return elements whose differences are units: those with the same number (0, 1, ...) in every field."""
    elements = []
    for number in range(smallest_field(size)):
        element = 0
        for prime, power in prime_powers(size):
            element = element * prime**power + number
        elements.append(element)
    return elements
