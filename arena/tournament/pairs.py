"""Pairs: the points that two bots take from each other at one table.

Bots are compared by rank: once in every match in which both sit or, in solitaire variants, once at the table as a
whole. In each comparison a bot takes two half points for a win and one for a tie. So the half points it takes from all
others at a table are twice its match points there (`arena.tournament.standings`).

Pairs also hold the lead in game points, for `arena.tournament.strength`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from arena.tournament.intervals import Sums

Ranks = Mapping[int, int]
"""Rank by bot. Partners share the rank of their team."""
Scores = Mapping[int, int]
"""Game points by bot; partners' points are added up."""


class Pair(NamedTuple):
    """Two bots at a table; `a` < `b`."""

    a: int
    b: int
    h: int
    """Half points that `a` took from `b`."""
    n: int
    """Possible half points: two per comparison."""
    p: int = 0
    """Lead of `a` over `b` in game points, over the matches in which both sat."""


class Taken(NamedTuple):
    """Points of a bot at a table against all others together."""

    h: int = 0
    """Half points taken."""
    n: int = 0
    """Possible half points."""
    p: int = 0
    """Sum of its leads over each of the others in game points."""


def pairs(matches: Sequence[Ranks], table: Ranks, scores: Sequence[Scores] = ()) -> Iterator[Pair]:
    """Yield all pairs at a table, from ranks and scores by match and from the ranks at the table as a whole."""
    compared = [ranks for ranks in matches if len(ranks) > 1] or [table]
    for a, b in combinations(sorted(table), 2):
        both = [(ranks[a], ranks[b]) for ranks in compared if a in ranks and b in ranks]
        led = sum(match[a] - match[b] for match in scores if a in match and b in match)
        yield Pair(a, b, sum(2 * (mine < other) + (mine == other) for mine, other in both), 2 * len(both), led)


def taken(met: Iterable[Pair]) -> dict[int, Taken]:
    """Return the points of each bot at a table."""
    points: dict[int, Taken] = {}
    for a, b, h, n, p in met:
        for bot, own, led in ((a, h, p), (b, n - h, -p)):
            before = points.get(bot, Taken())
            points[bot] = Taken(before.h + own, before.n + n, before.p + led)
    return points


def turned(sums: Sums) -> Sums:
    """Return the sums from the other bot's side."""
    tables, h, n, hh, hn, nn = sums
    return Sums(tables, n - h, n, nn - 2 * hn + hh, nn - hn, nn)
