"""Search for a block design: a known kind, a difference family, a composed design, or a sum of designs."""

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import combinations
from math import comb, gcd, lcm
from typing import Final, cast

from arena.tournament.designs.actions import Block
from arena.tournament.designs.composed import Blocks, recipes
from arena.tournament.designs.families import SMALL, family
from arena.tournament.designs.order import scattered
from arena.tournament.designs.rings import prime_powers

MOST_MULTIPLES: Final = 13
"""Number of multiples of the smallest λ for which designs are searched, in addition to k(k - 1), which fits any number
of points and is found more easily. Designs with other λ are sums of these."""
MOST_RECIPES: Final = 12
"""Number of recipes that are tried for a design."""


def step(points: int, size: int) -> int:
    """Return the number that divides every λ: k - 1 divides λ(v - 1), and k(k - 1) divides λv(v - 1)."""
    pairs = points * (points - 1)
    each, full = size - 1, size * (size - 1)
    return lcm(each // gcd(each, points - 1), full // gcd(full, pairs))


def possible(points: int, size: int, meetings: int) -> bool:
    """Return whether no simple condition rules the design out.

    λ is a multiple of its step, and unless a block contains all points, there are at least as many blocks as points
    (Fisher 1940).
    """
    if points < size:
        return points < 2
    enough = points == size or meetings * (points - 1) >= size * (size - 1)
    return enough and meetings % step(points, size) == 0


def summands(points: int, size: int) -> list[int]:
    """Return the λ for which designs are searched, in ascending order."""
    unit = step(points, size)
    return sorted({unit * number for number in range(1, MOST_MULTIPLES + 1)} | {size * (size - 1)})


@lru_cache(4096)
def build(points: int, size: int, meetings: int) -> Blocks | None:
    """Find the blocks of a design, possibly a sum of designs with smaller λ; None if none was found."""
    if not possible(points, size, meetings):
        return None
    if points < 2:
        return partial(_one_after_another, ())
    sums: dict[int, tuple[Blocks, ...]] = {0: ()}
    for part in summands(points, size):
        if meetings not in sums and part <= meetings and (blocks := _simple(points, size, part)):
            for before in range(meetings - part + 1):
                if before in sums:
                    sums.setdefault(before + part, (*sums[before], blocks))
    return partial(_one_after_another, sums[meetings]) if meetings in sums else None


def _one_after_another(designs: tuple[Blocks, ...]) -> Iterator[Block]:
    for blocks in designs:
        yield from blocks()


@lru_cache(4096)
def _simple(points: int, size: int, meetings: int) -> Blocks | None:
    """Find the blocks of a design that is not a sum of others."""
    if not possible(points, size, meetings):
        return None
    if size == 2:
        return partial(_pairs, points) if meetings == 1 else None
    if points < size + 2:
        return partial(combinations, range(points), size) if meetings == comb(points - 2, size - 2) else None
    if 2 * size > points:
        return _complement(points, size, meetings)
    if _is_field(points) or _is_field(points - 1) or points <= SMALL:
        return _found(points, size, meetings) or composed(points, size, meetings)
    return composed(points, size, meetings) or _found(points, size, meetings)


def _is_field(size: int) -> bool:
    return len(prime_powers(size)) == 1


def _pairs(points: int) -> Iterator[Block]:
    """Yield all pairs of points on a circle, by distance."""
    for distance in range(1, points // 2 + 1):
        for point in scattered(points):
            if 2 * distance < points or point < distance:
                yield point, (point + distance) % points


def _found(points: int, size: int, meetings: int) -> Blocks | None:
    found = family(points, size, meetings)
    return found.blocks if found else None


def composed(points: int, size: int, meetings: int) -> Blocks | None:
    """Find the blocks of a design that is composed of smaller ones; None if no recipe works."""
    tried = (recipe for recipe in recipes(points, size) if all(possible(part, size, meetings) for part in recipe.parts))
    for recipe, _ in zip(tried, range(MOST_RECIPES), strict=False):
        parts = [build(part, size, meetings) for part in recipe.parts]
        if None not in parts:
            return partial(recipe.blocks, *cast("list[Blocks]", parts))
    return None


def _complement(points: int, size: int, meetings: int) -> Blocks | None:
    """Find the blocks of a design with large blocks as the complements of small ones."""
    rest = points - size
    inner = build(points, rest, meetings * rest * (rest - 1) // (size * (size - 1)))
    return partial(_others, inner, points) if inner else None


def _others(blocks: Blocks, points: int) -> Iterator[Block]:
    for block in blocks():
        yield tuple(point for point in range(points) if point not in block)
