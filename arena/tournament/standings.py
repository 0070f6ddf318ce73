"""Standings: match points. A bot's points in a match are the opponents it beat plus half of those it tied with.

Points are counted in halves, so that they stay whole numbers. Ranks count from 1; equal results share one (1, 1, 3).
"""

from collections.abc import Iterable, Sequence
from typing import Any


def half_points(ranks: Sequence[int]) -> list[int]:
    """Twice the match points, from the ranks of one match by place (a team of partners is one place)."""
    return [sum((mine < other) * 2 + (mine == other) for other in ranks) - 1 for mine in ranks]


def most_half_points(places: int, matches: int) -> int:
    """Twice the most match points that one place can get in so many matches."""
    return 2 * (places - 1) * matches


def total(matches: Iterable[Sequence[int]], places: int) -> list[int]:
    """Half points by place, summed over matches whose ranks by place are given."""
    sums = [0] * places
    for ranks in matches:
        for place, points in enumerate(half_points(ranks)):
            sums[place] += points
    return sums


def ranks(points: Sequence[Any]) -> list[int]:
    """Ranks from points, or from whatever else can be compared and hashed, where more is better."""
    first: dict[Any, int] = {}
    for rank, mine in enumerate(sorted(points, reverse=True), 1):
        first.setdefault(mine, rank)
    return [first[mine] for mine in points]
