"""Results of playouts, as sums that can be added up without rounding."""

from collections.abc import Sequence
from math import sqrt
from operator import add
from typing import NamedTuple, Self


class Sums(NamedTuple):
    """Sums over worlds. The points of a world are those of all its playouts."""

    worlds: int
    points: tuple[int, ...]
    """Sum of points by seat."""
    products: tuple[tuple[int, ...], ...]
    """Sum of the products of points of one world, by two seats."""

    @classmethod
    def none(cls, seats: int) -> Self:
        """Return the sums of no worlds."""
        return cls(0, (0,) * seats, ((0,) * seats,) * seats)

    def plus(self, points: Sequence[int]) -> Self:
        """Return the sums with one more world."""
        products = tuple(tuple(one * two for two in points) for one in points)
        return self.together(type(self)(1, tuple(points), products))

    def together(self, other: Self) -> Self:
        """Return the sums of these worlds and others."""
        products = zip(self.products, other.products, strict=True)
        return type(self)(
            self.worlds + other.worlds,
            tuple(map(add, self.points, other.points)),
            tuple(tuple(map(add, *rows)) for rows in products),
        )

    def of_first(self, seats: int) -> Self:
        """Return the sums of the first seats alone."""
        return type(self)(self.worlds, self.points[:seats], tuple(row[:seats] for row in self.products[:seats]))

    def mean(self, weights: Sequence[float]) -> float:
        """Return the mean over worlds of the weighted points."""
        return sum(weight * points for weight, points in zip(weights, self.points, strict=True)) / self.worlds

    def error(self, weights: Sequence[float]) -> float:
        """Return the standard error of `mean`; infinity with fewer than two worlds."""
        if self.worlds < 2:
            return float("inf")
        squares = sum(
            one * two * product
            for one, row in zip(weights, self.products, strict=True)
            for two, product in zip(weights, row, strict=True)
        )
        variance = (squares - self.worlds * self.mean(weights) ** 2) / (self.worlds - 1)
        return sqrt(max(0.0, variance) / self.worlds)
