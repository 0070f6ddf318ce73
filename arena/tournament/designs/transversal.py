"""Transversal designs: blocks that hold one point of each of several groups, every two points of two groups once."""

from collections.abc import Iterator

from arena.tournament.designs.order import scattered
from arena.tournament.designs.rings import fields, prime_powers, smallest_field


def most_groups(size: int) -> int:
    """How many groups of that size there can be here: one more than the smallest field whose product has that size
    (MacNeish 1922). More are known for many sizes, by other means."""
    return smallest_field(size) + 1 if size > 1 else 0


def transversal(groups: int, size: int) -> Iterator[tuple[int, ...]]:
    """By group, the point of it (0 to size - 1), for each of the size² blocks. `groups` is at most `most_groups(size)`.

    Group i holds a·i + b for block (a, b), an extra last one holds a. Blocks with the same a have no point in common
    but that one, and come one after another.
    """
    ring, field = fields(size), smallest_field(size)
    slopes = _diagonal(size)[: min(groups, field)]
    extra = groups > field
    for a in scattered(size):
        for b in scattered(size):
            block = [ring.add[ring.mul[a][slope]][b] for slope in slopes]
            yield (*block, a) if extra else tuple(block)


def _diagonal(size: int) -> list[int]:
    """Elements of the ring that differ by units: in every field of the product the same number, 0, 1 and so on."""
    elements = []
    for number in range(smallest_field(size)):
        element = 0
        for prime, power in prime_powers(size):
            element = element * prime**power + number
        elements.append(element)
    return elements
