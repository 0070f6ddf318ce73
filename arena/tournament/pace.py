"""Range in which a tournament will probably end, from the times at which its latest tables finished."""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, NamedTuple

FEWEST: Final = 5
"""Number of finished tables from which a pace is measured."""
STALLED: Final = 10.0
"""Mean gaps between two tables after which a tournament without a new result has no pace any more."""
PATIENCE: Final = 30.0
"""Seconds that a gap may last in any case."""
DEVIATIONS: Final = 1.96
"""Standard deviations of a 95 % interval."""


class Range(NamedTuple):
    """Seconds from the latest result."""

    earliest: float
    latest: float


def time_left(finished: Sequence[float], left: int, now: float) -> Range | None:
    """Return how long `left` more tables will probably take, with 95 % confidence; None if that is unknown.

    `finished` are times in seconds, in any order. `now` decides only whether play has stalled, so that an end that is
    shown changes with results alone. Tables are taken to finish independently at one rate, so the
    logarithm of the time of n tables has a standard deviation of 1 / sqrt(n), both for past and for coming tables.
    """
    if left <= 0 or len(finished) < FEWEST:
        return None
    first, last = min(finished), max(finished)
    usual = (last - first) / (len(finished) - 1)
    if not usual or now - last > max(PATIENCE, STALLED * usual):
        return None
    spread = exp(DEVIATIONS * sqrt(1 / (len(finished) - 1) + 1 / left))
    return Range(left * usual / spread, left * usual * spread)
