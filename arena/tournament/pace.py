"""Range in which a tournament will probably end, from its latest tables or from earlier tournaments."""

from collections.abc import Sequence
from math import exp, log, sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

from arena.tournament.student import quantile

FEWEST: Final = 5
"""Number of finished tables from which a pace is measured."""
STALLED: Final = 10.0
"""Mean gaps between two tables after which a tournament without a new result has no pace any more."""
PATIENCE: Final = 30.0
"""Seconds that a gap may last in any case."""
DEVIATIONS: Final = 1.96
"""Standard deviations of a 95 % interval."""
FEWEST_EARLIER: Final = 3
"""Number of earlier tournaments from which a duration is predicted."""
STEADIEST: Final = 0.1
"""Standard deviation of the logarithm of a pace that a few tournaments may hide by chance."""


class Range(NamedTuple):
    """Seconds from the latest result, or from the start."""

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


def duration(earlier: Sequence[float], amount: float) -> Range | None:
    """Return how long an amount of play will probably take, with 95 % confidence; None if that is unknown.

    `earlier` are the seconds per unit of that amount in earlier tournaments. Their logarithms are taken to be normally
    distributed, so few or unlike tournaments give a wide range.
    """
    if amount <= 0 or len(earlier) < FEWEST_EARLIER or min(earlier) <= 0:
        return None
    paces = [log(one) for one in earlier]
    deviation = max(stdev(paces), STEADIEST) * sqrt(1 + 1 / len(paces))
    usual, spread = exp(fmean(paces)), exp(quantile(0.975, len(paces) - 1) * deviation)
    return Range(amount * usual / spread, amount * usual * spread)
