"""Designs made of smaller ones.

Points lie in groups. Blocks across the groups hold every pair of points from two groups, a design on each group the
others; a point at infinity may belong to all groups. Across the groups lie the blocks of a design whose points are the
groups, each replaced by a transversal design (`Inflated`), or those of a transversal design with one group cut short,
each replaced by a design on its points (`Truncated`): two simple cases of Wilson's fundamental construction (1972).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from arena.tournament.designs.actions import Block
from arena.tournament.designs.order import evenly
from arena.tournament.designs.transversal import most_groups, transversal

Blocks: TypeAlias = Callable[[], Iterator[Block]]
"""The blocks of a design, from the first, each time that it is called."""


@dataclass(frozen=True)
class Inflated:
    """Groups of one width."""

    groups: int
    width: int
    size: int
    infinity: int
    """1 with that point, 0 without."""

    @property
    def parts(self) -> tuple[int, ...]:
        """The points of the designs that it is made of."""
        return self.groups, self.width + self.infinity

    def blocks(self, across: Blocks, within: Blocks) -> Iterator[Block]:
        """The blocks, from those of the parts."""
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
    """Groups of one width, and a shorter one."""

    groups: int
    width: int
    rest: int
    """The width of the shorter one."""
    infinity: int

    @property
    def parts(self) -> tuple[int, ...]:
        """The points of the designs that it is made of."""
        return self.groups, self.groups + 1, self.width + self.infinity, self.rest + self.infinity

    def blocks(self, short: Blocks, long: Blocks, within: Blocks, rest: Blocks) -> Iterator[Block]:
        """The blocks, from those of the parts."""
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
    """A design on each group, given its first point, its width and the design; the groups take turns."""
    for turn in zip_longest(*(design() for _, _, design in groups)):
        for (start, width, _), block in zip(groups, turn, strict=True):
            if block is not None:
                yield tuple(infinity if x == width else start + x for x in block)


def _count(blocks: Blocks) -> int:
    return sum(1 for _ in blocks())


def recipes(points: int, size: int) -> Iterator[Inflated | Truncated]:
    """What designs of so many points may be made of, those first whose largest part is smallest."""
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
