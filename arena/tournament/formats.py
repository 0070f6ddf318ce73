"""Formats: which entries meet at which tables, in which order.

Entries are numbers from 0. A table is a tuple of them in ascending order; its place in the list is its number, from
which its boards are derived, so the order is part of what a tournament promises.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb


def round_robin(entries: int, places: int, rounds: int = 1) -> Iterator[tuple[int, ...]]:
    """Every combination of `places` entries once a round, round after round. None where there are too few entries."""
    for _ in range(rounds):
        yield from combinations(range(entries), places)


def round_robin_size(entries: int, places: int, rounds: int = 1) -> int:
    """How many tables that makes."""
    return comb(entries, places) * rounds
