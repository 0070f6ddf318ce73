"""How sure a share of match points is, from sums that are kept as tables come in.

The matches of a table share boards and bots, so they are one observation together: a *cluster*. A bot's share is a
ratio of two sums over clusters, and its variance is estimated from what each of them is off by (Cochran 1977, Sampling
Techniques, chapter 6; with the factor for few clusters of Cameron and Miller 2015, A Practitioner's Guide to
Cluster-Robust Inference). All sums are whole numbers, so the order of tables never matters.
"""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple, Self

from arena.tournament import student

FEWEST = 2
"""Tables without which nothing can be said about how tables differ."""


class Interval(NamedTuple):
    """Where a share lies, with the confidence that was asked for."""

    low: float
    high: float


class Sums(NamedTuple):
    """Of h, the half points taken at a table, and n, the most half points that were possible there."""

    tables: int
    h: int
    n: int
    hh: int
    """Of h squared."""
    hn: int
    """Of h times n."""
    nn: int
    """Of n squared."""

    @classmethod
    def of(cls, tables: Iterable[tuple[int, int]]) -> Self:
        """The sums over these tables, each h and n."""
        products = [(1, h, n, h * h, h * n, n * n) for h, n in tables]
        return cls(*map(sum, zip(*products, strict=True))) if products else cls(*[0] * 6)

    def share(self) -> float:
        """The points taken of the most possible, 0 to 1. Raises ZeroDivisionError where there is no table."""
        return self.h / self.n

    def error(self) -> float:
        """The standard error of the share, clustered by table, of two or more of them."""
        squares = self.hh * self.n**2 - 2 * self.h * self.n * self.hn + self.h**2 * self.nn
        return sqrt(self.tables / (self.tables - 1) * (squares / self.n**4))

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """Where the true share lies, by Student's t with a degree of freedom less than tables; None below two tables.

        Tables that are all alike do not differ, which must not pass for certainty. If a part p of all tables were
        others, none of them would have come with a chance of 1 - p to the power of their number; those of the largest
        p that may well be might give nothing, or everything.
        """
        if self.tables < FEWEST:
            return None
        if not self.error():
            others = 1 - ((1 - confidence) / 2) ** (1 / self.tables)
            return Interval(self.share() * (1 - others), self.share() * (1 - others) + others)
        reach = student.quantile((1 + confidence) / 2, self.tables - 1) * self.error()
        return Interval(max(0.0, self.share() - reach), min(1.0, self.share() + reach))

    def superiority(self) -> float | None:
        """The likelihood that the true share is above a half, by the same distribution; None below two tables.

        Of a pair's sums: that the one is better than the other. Where all tables are alike it is that of a sign test:
        a chance of a half for each.
        """
        if self.tables < FEWEST:
            return None
        above, error = self.share() - 0.5, self.error()
        if error:
            return student.cdf(above / error, self.tables - 1)
        return 0.5 if not above else 1 - 0.5**self.tables if above > 0 else 0.5**self.tables
