"""Estimation of beta and the draw probability of a variant from its own results.

The procedure is prequential (Dawid 1984, Statistical theory: the prequential approach): results are folded in order,
and every pair of bots at a table is predicted from the results before that table. The best parameters minimise the mean
negative logarithm of the probability of the actual outcomes. The pairs of a table are not independent, so this is a
composite likelihood (Varin, Reid and Firth 2011): good for choosing parameters, not for error bars. Pairs with a bot
that has hardly played are excluded, because they carry little information about the parameters.

Both parameters lie on a grid. A hill climb moves one step along one axis at a time, so equal results always give equal
parameters. Each grid point is one fold of at most 2,000 tables of four; ten to twenty points are tried, which takes ten
to twenty seconds of one core.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, takewhile
from statistics import fmean
from typing import Final, NamedTuple

from arena.ratings.model import SIGMA, Parameters, Result
from arena.ratings.prediction import forecasts
from arena.words import N_

BETAS: Final = tuple(SIGMA * 2 ** (step / 2) for step in range(-4, 11))
"""Values tried for beta: from a quarter of the standard deviation of skills, below which an upset underflows floats, to
32 times it, at which results carry almost no information."""
DRAWS: Final = (
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.14),
    *(0.2, 0.28, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95),
)
LARGE: Final = 8
"""Number of places above which the largest draw probabilities are excluded, because an upset among many underflows
floats."""
LARGE_DRAWS: Final = 7
"""Number of draw probabilities that remain for large tables."""
EXPERIENCE: Final = 8
"""Number of rated tables that both bots of a pair need before their outcomes count."""
FEWEST_PAIRS: Final = 200
"""Number of pairs below which nothing is estimated."""
MOST_SEATED: Final = 8_000
"""Maximum number of seats, summed over the latest tables, that an estimate uses: 2,000 tables of four."""


class Estimate(NamedTuple):
    """Parameters estimated from results."""

    parameters: Parameters
    tables: int
    """Number of tables used."""
    pairs: int
    """Number of outcomes predicted."""
    before: float
    """Mean surprise of an outcome under the previous parameters, in nats; 0 if nothing was predicted."""
    after: float
    """Mean surprise of an outcome under the estimated parameters, in nats."""


Point = tuple[int, int]
"""A point of the grid: the indices of beta and of the draw probability."""


def estimate(results: Sequence[Result], start: Parameters, places: int) -> Estimate:
    """Return the parameters that predict the latest of these results best.

    `places` is the maximum number of bots at a table of the variant. The parameters stay at `start` if no grid point is
    better or if there are too few results.
    """
    used = _latest(results)
    surprises = _surprises(used, start)
    before = fmean(surprises) if surprises else 0.0
    if len(surprises) < FEWEST_PAIRS:
        return Estimate(start, len(used), len(surprises), before, before)
    found, after = _climb(used, start, places)
    if after >= before:
        found, after = start, before
    return Estimate(found, len(used), len(surprises), before, after)


def edges(parameters: Parameters, places: int) -> tuple[str, ...]:
    """Return the names of the parameters at an end of the grid, where better values may lie beyond it."""
    draws = _draws(places)
    names = []
    if parameters.beta in (BETAS[0], BETAS[-1]):
        names.append(N_("beta"))
    if parameters.draw_probability in (draws[0], draws[-1]):
        names.append(N_("draw probability"))
    return tuple(names)


def _draws(places: int) -> Sequence[float]:
    return DRAWS if places <= LARGE else DRAWS[:LARGE_DRAWS]


def _latest(results: Sequence[Result]) -> Sequence[Result]:
    seated = accumulate(len(result.versions) for result in reversed(results))
    fitting = sum(1 for _ in takewhile(lambda bots: bots <= MOST_SEATED, seated))
    return results[len(results) - fitting :]


def _surprises(results: Sequence[Result], parameters: Parameters) -> list[float]:
    predicted = forecasts(results, parameters)
    return [each.chances.surprise(each.outcome) for each in predicted if each.experience >= EXPERIENCE]


def _climb(results: Sequence[Result], start: Parameters, places: int) -> tuple[Parameters, float]:
    """Climb from the grid point nearest to `start` to one that no neighbour beats; return it and its mean surprise."""
    draws = _draws(places)

    def at(point: Point) -> Parameters:
        return Parameters(BETAS[point[0]], draws[point[1]])

    @cache
    def surprise(point: Point) -> float:
        return fmean(_surprises(results, at(point)))

    point, best = None, (_nearest(BETAS, start.beta), _nearest(draws, start.draw_probability))
    while point != best:
        point = best
        for axis in range(2):
            best = min([best, *_neighbours(best, axis, (len(BETAS), len(draws)))], key=surprise)
    return at(best), surprise(best)


def _nearest(values: Sequence[float], wanted: float) -> int:
    return min(range(len(values)), key=lambda index: abs(values[index] - wanted))


def _neighbours(point: Point, axis: int, sizes: Point) -> list[Point]:
    """Return the points one step along one axis, within the grid."""
    beta, draw = point
    steps = [(beta + step * (1 - axis), draw + step * axis) for step in (-1, 1)]
    return [step for step in steps if 0 <= step[axis] < sizes[axis]]
