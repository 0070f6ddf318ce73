"""The parameters of a variant, estimated from its results."""

from random import Random

import pytest

from arena.ratings import BETA, MOST_PLACES, SIGMA, Parameters, Result, estimate, estimation, fold
from arena.ratings.estimation import BETAS, DRAWS, EXPERIENCE, LARGE, LARGE_DRAWS
from tests.ratings import synthetic


@pytest.mark.parametrize(
    ("truth", "places", "tables"),
    [(Parameters(SIGMA, 0.2), 2, 500), (Parameters(SIGMA / 2, 0.4), 2, 400), (Parameters(2 * SIGMA, 0.05), 4, 150)],
)
def test_what_the_results_were_made_with_is_found_again(truth: Parameters, places: int, tables: int) -> None:
    """To within a step of the grid, and it predicts better than what was believed before."""
    results = synthetic.results(Random(1), truth, tables, places, bots=8)

    found = estimate(results, Parameters(truth.beta / 2, truth.draw_probability / 2), places)

    assert 2**-0.51 <= found.parameters.beta / truth.beta <= 2**0.51
    assert abs(_step(found.parameters.draw_probability) - _step(truth.draw_probability)) <= 1
    assert found.after < found.before
    assert found.tables == tables


def _step(draw: float) -> int:
    return min(range(len(DRAWS)), key=lambda step: abs(DRAWS[step] - draw))


def test_nothing_is_estimated_from_few_results() -> None:
    """Not even a prediction is there where nobody has played for long."""
    start = Parameters(BETA, 0.5)

    assert estimate([], start, 4) == (start, 0, 0, 0.0, 0.0)
    few = estimate(synthetic.results(Random(1), start, 100, 2), start, 2)
    assert few.parameters == start
    assert few.before == few.after > 0
    assert 0 < few.pairs < 100


def test_what_was_believed_stays_where_no_point_of_the_grid_is_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a grid that is far off."""
    monkeypatch.setattr(estimation, "BETAS", (40 * SIGMA,))
    truth = Parameters(SIGMA, 0.2)

    found = estimate(synthetic.results(Random(1), truth, 300, 2), truth, 2)

    assert found.parameters == truth
    assert found.after == found.before


@pytest.mark.parametrize(("seated", "used"), [(1, 0), (3, 1), (12, 5), (13, 6), (99, 6)])
def test_only_the_latest_results_are_used(seated: int, used: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as seat so many bots together, so that it takes no longer with more of them."""
    monkeypatch.setattr(estimation, "MOST_SEATED", seated)
    results = [Result(0, (1, 2, 3), (1, 2, 3), 3), *(Result(number, (1, 2), (1, 2), 2) for number in range(1, 6))]

    assert estimate(results, Parameters(), 3).tables == used


@pytest.mark.parametrize(("places", "draw"), [(LARGE, DRAWS[-1]), (MOST_PLACES, DRAWS[LARGE_DRAWS - 1])])
def test_whatever_is_estimated_can_rate_whatever_happens(places: int, draw: float) -> None:
    """Where all is settled and then turned round, with the parameters that are hardest on floats."""
    order, all_alike = tuple(range(places)), (1,) * places
    ranks = [order] * 30 + [order[::-1]] * 4 + [all_alike] * 2
    results = [Result(number, order, each, 1) for number, each in enumerate(ranks)]

    assert all(change.rating.sigma > 0 for change in fold(results, Parameters(min(BETAS), draw)))


def test_who_has_hardly_played_is_not_counted() -> None:
    """A pair counts when both were rated so often before."""
    pair = [Result(number, (1, 2), (1, 2), 2) for number in range(EXPERIENCE + 5)]

    assert estimate(pair, Parameters(), 2).pairs == 5
