"""Standings: match points and ranks. A bot's points in a match are the opponents it beat plus half of those it tied.

Points are counted in halves to keep them integers. Ranks start at 1, and ties share one (1, 1, 3).
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any


def half_points(ranks: Sequence[int]) -> list[int]:
    """Return twice the match points from the ranks of one match by place (a team of partners is one place)."""
    return [sum((mine < other) * 2 + (mine == other) for other in ranks) - 1 for mine in ranks]


def most_half_points(places: int, matches: int) -> int:
    """Return twice the most match points that one place can get in `matches` matches."""
    return 2 * (places - 1) * matches


def total(matches: Iterable[Sequence[int]], places: int) -> list[int]:
    """Return half points by place, summed over matches that are given as ranks by place."""
    sums = [0] * places
    for ranks in matches:
        for place, points in enumerate(half_points(ranks)):
            sums[place] += points
    return sums


def ranks(points: Sequence[Any]) -> list[int]:
    """Return ranks from points, or any other values that can be compared and hashed; more is better."""
    first: dict[Any, int] = {}
    for rank, mine in enumerate(sorted(points, reverse=True), 1):
        first.setdefault(mine, rank)
    return [first[mine] for mine in points]


def opponents(shares: Mapping[int, Fraction], met: Mapping[tuple[int, int], int]) -> dict[int, Fraction]:
    """Return for each bot the mean share of match points of its opponents, weighted by meetings.

    `met` holds each pair in one order. Bots without opponents are left out.
    """
    sums: dict[int, Fraction] = {}
    counts: dict[int, int] = {}
    for (a, b), often in met.items():
        for one, other in ((a, b), (b, a)):
            sums[one] = sums.get(one, Fraction()) + often * shares[other]
            counts[one] = counts.get(one, 0) + often
    return {one: total / counts[one] for one, total in sums.items()}
