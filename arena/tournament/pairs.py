"""Pairs: what two bots take from each other at one table.

Bots are compared by their ranks: once in every match in which both sit, or, where each plays alone, once at the
table as a whole. Of one comparison a bot takes two half points from whom it beats and one from whom it ties with. So
what it takes from all others at a table are its match points there, doubled (`arena.tournament.standings`).
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from arena.tournament.intervals import Sums

Ranks = Mapping[int, int]
"""By bot. Partners share their team's."""


class Pair(NamedTuple):
    """Two bots at a table; a < b."""

    a: int
    b: int
    h: int
    """Half points that a took from b."""
    n: int
    """Half points that were to be had: two for each comparison."""


def pairs(matches: Iterable[Ranks], table: Ranks) -> Iterator[Pair]:
    """All pairs at a table, from the ranks in each of its matches and at the table as a whole."""
    compared = [ranks for ranks in matches if len(ranks) > 1] or [table]
    for a, b in combinations(sorted(table), 2):
        both = [(ranks[a], ranks[b]) for ranks in compared if a in ranks and b in ranks]
        yield Pair(a, b, sum(2 * (mine < other) + (mine == other) for mine, other in both), 2 * len(both))


def taken(met: Iterable[Pair]) -> dict[int, tuple[int, int]]:
    """By bot, the half points that it took from all others, and those that were to be had."""
    points: dict[int, tuple[int, int]] = {}
    for pair in met:
        for bot, h in ((pair.a, pair.h), (pair.b, pair.n - pair.h)):
            before = points.get(bot, (0, 0))
            points[bot] = (before[0] + h, before[1] + pair.n)
    return points


def turned(sums: Sums) -> Sums:
    """The sums of a against b as b against a."""
    tables, h, n, hh, hn, nn = sums
    return Sums(tables, n - h, n, nn - 2 * hn + hh, nn - hn, nn)
