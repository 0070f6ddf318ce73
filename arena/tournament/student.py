"""Student's t distribution with integer degrees of freedom, using only the standard library."""

from functools import lru_cache
from math import atan, cos, log1p, pi, sin, sqrt
from statistics import NormalDist
from typing import Final

NORMAL: Final = NormalDist()
FEW: Final = 20
"""Degrees of freedom from which the normal approximation is accurate to eight digits."""


def cdf(t: float, degrees: int) -> float:
    """Return the probability of a value of at most `t`."""
    upper = _upper(abs(t), degrees)
    return upper if t < 0 else 1 - upper


@lru_cache(maxsize=4096)
def quantile(chance: float, degrees: int) -> float:
    """Return the value that is not exceeded with a probability from 0.5 to 1, to nine digits."""
    low, high = 0.0, 1.0
    while cdf(high, degrees) < chance:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(middle, degrees) < chance else (low, middle)
    return high


def _upper(t: float, degrees: int) -> float:
    return _exact(t, degrees) if degrees < FEW else NORMAL.cdf(-_normal(t, degrees))


def _exact(t: float, degrees: int) -> float:
    """Return the probability of more than `t`, by Abramowitz and Stegun 1964, 26.7.3 and 26.7.4."""
    angle = atan(t / sqrt(degrees))
    odd = degrees % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for power in range(1 + odd, degrees, 2):
        total += term
        term *= cos(angle) ** 2 * power / (power + 1)
    within = (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
    return (1 - within) / 2


def _normal(t: float, degrees: int) -> float:
    """Return the normal deviate with the same tail as `t` (Hill 1970, Algorithm 395: Student's t-distribution)."""
    a = degrees - 0.5
    b = 48 * a * a
    y = a * log1p(t * t / degrees)
    series = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b) + y + 3
    return (series / b + 1) * sqrt(y)
