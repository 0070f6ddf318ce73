"""Estimation of a variant's parameters from its results."""

from collections.abc import Sequence
from random import Random

import pytest

from arena.ratings import BETA, MOST_PLACES, SIGMA, Parameters, Result, edges, estimate, estimation, fold
from arena.ratings.estimation import BETAS, DRAWS, EXPERIENCE, LARGE, LARGE_DRAWS
from tests.ratings import synthetic


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
@pytest.mark.parametrize(
    ("truth", "places", "tables"),
    [(Parameters(SIGMA, 0.2), 2, 500), (Parameters(SIGMA / 2, 0.4), 2, 400), (Parameters(2 * SIGMA, 0.05), 4, 150)],
)
def test_estimation_recovers_true_parameters(truth: Parameters, places: int, tables: int) -> None:
    """The estimate is within one grid step of the truth and predicts better than the start."""
    results = synthetic.results(Random(1), truth, tables, places, bots=8)

    found = estimate(results, Parameters(truth.beta / 2, truth.draw_probability / 2), places)

    assert 2**-0.51 <= found.parameters.beta / truth.beta <= 2**0.51
    assert abs(_step(found.parameters.draw_probability) - _step(truth.draw_probability)) <= 1
    assert found.after < found.before
    assert found.tables == tables


def _step(draw: float) -> int:
    return min(range(len(DRAWS)), key=lambda step: abs(DRAWS[step] - draw))


def test_too_few_results_keep_previous_parameters() -> None:
    """With few results the parameters stay as they are, and pairs without experience are not predicted."""
    start = Parameters(BETA, 0.5)

    assert estimate([], start, 4) == (start, 0, 0, 0.0, 0.0)
    few = estimate(synthetic.results(Random(1), start, 100, 2), start, 2)
    assert few.parameters == start
    assert few.before == few.after > 0
    assert 0 < few.pairs < 100


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
@pytest.mark.parametrize(("pairs", "estimated"), [(199, False), (200, True)])
def test_estimation_needs_200_pairs(pairs: int, estimated: bool) -> None:
    """With fewer pairs than that the parameters stay as they are."""
    rng = Random(1)
    results = [Result(number, (1, 2), (rng.randint(1, 2), 2), 2) for number in range(EXPERIENCE + pairs)]

    found = estimate(results, Parameters(BETA, 0.01), 2)

    assert found.pairs == pairs
    assert (found.parameters != Parameters(BETA, 0.01)) == estimated


def test_grid_ascends() -> None:
    """Climbing needs neighbouring values to be neighbours in the grid."""
    assert list(BETAS) == sorted(set(BETAS))
    assert list(DRAWS) == sorted(set(DRAWS))


def on_grid(point: Sequence[int]) -> Parameters:
    """Return the parameters of a grid point."""
    return Parameters(BETAS[point[0]], DRAWS[point[1]])


def estimated(monkeypatch: pytest.MonkeyPatch, start: Parameters, *optima: tuple[int, int]) -> Parameters:
    """Return the estimate if surprise grows with the distance from the nearest of these grid points."""

    def surprises(_: object, parameters: Parameters) -> list[float]:
        beta = min(range(len(BETAS)), key=lambda step: abs(BETAS[step] - parameters.beta))
        draw = _step(parameters.draw_probability)
        return [min((beta - x) ** 2 + (draw - y) ** 2 for x, y in optima) + 1.0] * 200

    monkeypatch.setattr(estimation, "_surprises", surprises)
    return estimate([], start, 2).parameters


@pytest.mark.parametrize("start", [(0, 0), (0, 18), (14, 0), (14, 18), (7, 9)])
@pytest.mark.parametrize("optimum", [(0, 0), (14, 18), (3, 12), (9, 4)])
def test_climb_finds_single_optimum(
    start: tuple[int, int], optimum: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From everywhere on the grid, and up to its edges."""
    assert estimated(monkeypatch, on_grid(start), optimum) == on_grid(optimum)


def test_climb_starts_near_previous_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two optima it finds the one near the start, which need not be on the grid."""
    start = Parameters(BETAS[12] * 1.01, DRAWS[15] * 1.01)

    assert estimated(monkeypatch, start, (2, 3), (13, 16)) == on_grid((13, 16))


def test_start_is_kept_if_grid_is_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """The previous parameters stay if no grid point predicts better."""
    monkeypatch.setattr(estimation, "BETAS", (40 * SIGMA,))
    truth = Parameters(SIGMA, 0.2)

    found = estimate(synthetic.results(Random(1), truth, 300, 2), truth, 2)

    assert found.parameters == truth
    assert found.after == found.before


@pytest.mark.parametrize(("seated", "used"), [(1, 0), (3, 1), (12, 5), (13, 6), (99, 6)])
def test_only_latest_results_are_used(seated: int, used: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables used have at most a fixed number of seats in total, so the running time is bounded."""
    monkeypatch.setattr(estimation, "MOST_SEATED", seated)
    results = [Result(0, (1, 2, 3), (1, 2, 3), 3), *(Result(number, (1, 2), (1, 2), 2) for number in range(1, 6))]

    assert estimate(results, Parameters(), 3).tables == used


@pytest.mark.parametrize(("places", "draw"), [(LARGE, DRAWS[-1]), (MOST_PLACES, DRAWS[LARGE_DRAWS - 1])])
def test_extreme_estimates_can_rate_upsets(places: int, draw: float) -> None:
    """The extreme parameters of the grid rate a settled field that is reversed, without numerical failure."""
    order, all_alike = tuple(range(places)), (1,) * places
    ranks = [order] * 30 + [order[::-1]] * 4 + [all_alike] * 2
    results = [Result(number, order, each, 1) for number, each in enumerate(ranks)]

    assert all(change.rating.sigma > 0 for change in fold(results, Parameters(min(BETAS), draw)))


def test_pairs_without_experience_are_excluded() -> None:
    """A pair counts only after both bots have been rated often enough."""
    pair = [Result(number, (1, 2), (1, 2), 2) for number in range(EXPERIENCE + 5)]

    assert estimate(pair, Parameters(), 2).pairs == 5


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
def test_random_results_give_large_beta() -> None:
    """Random ranks lead to a large beta."""
    rng = Random(1)
    orders = [rng.sample(range(8), 4) for _ in range(80)]
    results = [Result(number, tuple(order), (1, 2, 3, 4), 4) for number, order in enumerate(orders)]

    found = estimate(results, Parameters(), 4).parameters

    assert found.beta > 4 * SIGMA


@pytest.mark.parametrize(
    ("beta", "draw", "places", "names"),
    [
        (SIGMA, 0.2, 4, ()),
        (BETAS[0], 0.2, 4, ("beta",)),
        (BETAS[-1], DRAWS[0], 4, ("beta", "draw probability")),
        (SIGMA, DRAWS[-1], 4, ("draw probability",)),
        (SIGMA, DRAWS[LARGE_DRAWS - 1], LARGE + 1, ("draw probability",)),
        (SIGMA, DRAWS[LARGE_DRAWS - 1], LARGE, ()),
    ],
)
def test_parameters_at_grid_edge_are_named(beta: float, draw: float, places: int, names: tuple[str, ...]) -> None:
    """Parameters at an end of the grid are named, because better values may lie beyond."""
    assert edges(Parameters(beta, draw), places) == names
