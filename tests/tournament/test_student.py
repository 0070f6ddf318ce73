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
def test_the_quantiles_are_those_of_the_tables(degrees: int, wide: float, wider: float) -> None:
    """97.5 and 99.5 %, as printed in every textbook."""
    assert quantile(0.975, degrees) == pytest.approx(wide, abs=6e-5)
    assert quantile(0.995, degrees) == pytest.approx(wider, abs=6e-5)


@pytest.mark.parametrize("degrees", [1, 2, 3, 8, 19, 20, 21, 60])
@pytest.mark.parametrize("t", [0.1, 1.0, 2.5, 6.0])
def test_the_chance_is_the_area_under_the_density(degrees: int, t: float) -> None:
    """By Simpson's rule; on the left it is the rest."""
    height = gamma((degrees + 1) / 2) / gamma(degrees / 2) / sqrt(degrees * pi)
    step = t / 400
    heights = [height * (1 + (number * step) ** 2 / degrees) ** (-(degrees + 1) / 2) for number in range(401)]
    area = step / 3 * (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2]))

    assert cdf(t, degrees) == pytest.approx(0.5 + area, abs=1e-8)
    assert cdf(-t, degrees) == pytest.approx(0.5 - area, abs=1e-8)


def test_half_of_all_lies_on_either_side() -> None:
    """And a quantile is where the chance is reached."""
    assert cdf(0.0, 3) == cdf(0.0, 30) == 0.5
    assert quantile(0.5, 3) == 0.0
    assert cdf(quantile(0.9, 7), 7) == pytest.approx(0.9)
