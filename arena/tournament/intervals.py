"""Confidence intervals of a share of match points, from sums that are updated as tables finish.

The matches of a table share boards and bots, so together they are one observation: a *cluster*. A bot's share is a
ratio of two sums over clusters, and its variance is estimated from the residual of each cluster (Cochran 1977, Sampling
Techniques, chapter 6; with the factor for few clusters of Cameron and Miller 2015, A Practitioner's Guide to
Cluster-Robust Inference). All sums are integers, so the order of tables never matters.
"""

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple, Self

from arena.tournament import student

FEWEST = 2
"""Least number of tables from which their variance can be estimated."""


class Interval(NamedTuple):
    """Confidence interval of a share."""

    low: float
    high: float


def of_mean(values: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Return the interval of the mean of independent values by Student's t; None below two.

    Equal values have no variance, which must not pass for certainty: they have no interval.
    """
    if len(values) < FEWEST or not (spread := stdev(values)):
        return None
    reach = student.quantile((1 + confidence) / 2, len(values) - 1) * spread / sqrt(len(values))
    return Interval(fmean(values) - reach, fmean(values) + reach)


class Sums(NamedTuple):
    """Sums over tables of h, the half points taken at a table, and n, the most half points possible there."""

    tables: int
    """Number of tables."""
    h: int
    """Sum of h."""
    n: int
    """Sum of n."""
    hh: int
    """Sum of h squared."""
    hn: int
    """Sum of h times n."""
    nn: int
    """Sum of n squared."""

    @classmethod
    def of(cls, tables: Iterable[tuple[int, int]]) -> Self:
        """Add up tables, each given as h and n."""
        products = [(1, h, n, h * h, h * n, n * n) for h, n in tables]
        return cls(*map(sum, zip(*products, strict=True))) if products else cls(*[0] * 6)

    def share(self) -> float:
        """Return the points taken as a fraction of the most possible. Raises `ZeroDivisionError` without tables."""
        return self.h / self.n

    def error(self) -> float:
        """Return the standard error of the share, clustered by table. There are at least two tables."""
        squares = self.hh * self.n**2 - 2 * self.h * self.n * self.hn + self.h**2 * self.nn
        return sqrt(self.tables / (self.tables - 1) * (squares / self.n**4))

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """Return the interval of the true share by Student's t; None below two tables.

        There are `tables` - 1 degrees of freedom. Identical tables have no variance, which must not pass for
        certainty. If a fraction p of all tables had other results, none would show in n tables with probability
        (1 - p)^n. The interval allows for the largest p that is consistent with `confidence`, with those tables won or
        lost outright.
        """
        if self.tables < FEWEST:
            return None
        share, error = self.share(), self.error()
        if not error:
            others = 1 - ((1 - confidence) / 2) ** (1 / self.tables)
            return Interval(share * (1 - others), share * (1 - others) + others)
        reach = student.quantile((1 + confidence) / 2, self.tables - 1) * error
        return Interval(max(0.0, share - reach), min(1.0, share + reach))

    def superiority(self) -> float | None:
        """Return the probability that the true share exceeds a half, by Student's t; None below two tables.

        For the sums of a pair it is the likelihood that one bot is better than the other. For identical tables it is
        the result of a sign test.
        """
        if self.tables < FEWEST:
            return None
        above, error = self.share() - 0.5, self.error()
        if error:
            return student.cdf(above / error, self.tables - 1)
        return 0.5 if not above else 1 - 0.5**self.tables if above > 0 else 0.5**self.tables
