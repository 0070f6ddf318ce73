"""The complete round robin: every combination of entries meets."""

from collections.abc import Iterator
from itertools import combinations
from math import comb

from arena.tournament.formats.table import Table


def complete(entries: int, places: int, rounds: int = 1) -> Iterator[Table]:
    """Every combination of `places` entries once a round, round after round. None where there are too few entries."""
    for _ in range(rounds):
        yield from combinations(range(entries), places)


def complete_size(entries: int, places: int, rounds: int = 1) -> int:
    """How many tables that makes."""
    return comb(entries, places) * rounds
