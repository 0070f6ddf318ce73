"""Student's t distribution."""

from math import gamma, pi, sqrt

import pytest

from arena.tournament.student import cdf, quantile


@pytest.mark.parametrize(
    ("degrees", "wide", "wider"),
    [
        (1, 12.7062, 63.6567),
        (2, 4.3027, 9.9248),
        (5, 2.5706, 4.0321),
        (10, 2.2281, 3.1693),
        (19, 2.0930, 2.8609),
        (20, 2.0860, 2.8453),
        (120, 1.9799, 2.6174),
        (10**6, 1.9600, 2.5758),
    ],
)
def test_quantiles_match_published_tables(degrees: int, wide: float, wider: float) -> None:
    """The 97.5 % and 99.5 % quantiles are textbook values."""
    assert quantile(0.975, degrees) == pytest.approx(wide, abs=6e-5)
    assert quantile(0.995, degrees) == pytest.approx(wider, abs=6e-5)


@pytest.mark.parametrize("degrees", [1, 2, 3, 8, 19, 20, 21, 60])
@pytest.mark.parametrize("t", [0.1, 1.0, 2.5, 6.0])
def test_probability_is_the_area_under_the_density(degrees: int, t: float) -> None:
    """Simpson's rule gives the same on both sides."""
    height = gamma((degrees + 1) / 2) / gamma(degrees / 2) / sqrt(degrees * pi)
    step = t / 400
    heights = [height * (1 + (number * step) ** 2 / degrees) ** (-(degrees + 1) / 2) for number in range(401)]
    area = step / 3 * (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2]))

    assert cdf(t, degrees) == pytest.approx(0.5 + area, abs=1e-8)
    assert cdf(-t, degrees) == pytest.approx(0.5 - area, abs=1e-8)


def test_distribution_is_symmetric() -> None:
    """The quantile is the inverse of the distribution function."""
    assert cdf(0.0, 3) == cdf(0.0, 30) == 0.5
    assert quantile(0.5, 3) == 0.0
    assert cdf(quantile(0.9, 7), 7) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("t", "degrees", "tail"),
    [(-6.0, 19, 4.48961774e-6), (-6.0, 20, 3.62184997e-6), (-4.0, 21, 3.24857593e-4), (-6.0, 60, 6.14342305e-8)],
)
def test_tails_have_a_small_relative_error(t: float, degrees: int, tail: float) -> None:
    """From 20 degrees of freedom the normal approximation replaces the finite sum."""
    assert cdf(t, degrees) == pytest.approx(tail, rel=3e-7)
