"""Beta and draw probability of a variant, from its own results.

The procedure is prequential (Dawid 1984, Statistical theory: the prequential approach): the results are folded in
their order, every pair of bots at a table is predicted from what was known before the table, and the parameters are
best under which what came was least surprising, as the mean negative logarithm of its chance. The pairs of a table are
not independent, so this is a composite likelihood (Varin, Reid and Firth 2011): good for choosing, not for error bars.
Pairs with a bot that has hardly played are left out, because of them the parameters say little.

Both parameters lie on a grid, which is climbed one step along one of them at a time, so the same results always give
the same parameters. Each point of it is one fold of at most 2,000 tables of four, and ten to twenty are tried: some ten
to twenty seconds of one core.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, takewhile
from statistics import fmean
from typing import Final, NamedTuple

from arena.ratings.model import SIGMA, Parameters, Result
from arena.ratings.prediction import forecasts

BETAS: Final = tuple(SIGMA * 2 ** (step / 2) for step in range(-4, 5))
"""From a quarter of the standard deviation of skills to four of them. Below that an upset leaves what floats hold."""
DRAWS: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.14, 0.2, 0.28, 0.4, 0.5, 0.6, 0.7, 0.8)
LARGE: Final = 8
"""With more places than this the likelier draws are left out, because an upset among many leaves what floats hold."""
LARGE_DRAWS: Final = 5
"""How many of the draw probabilities remain then."""
EXPERIENCE: Final = 8
"""So many tables both bots of a pair have been rated for before their outcomes count."""
FEWEST_PAIRS: Final = 200
"""With fewer pairs than this nothing is estimated."""
MOST_SEATED: Final = 8_000
"""So many bots sit at the latest tables that are used: 2,000 tables of four."""


class Estimate(NamedTuple):
    """What the results say of the parameters."""

    parameters: Parameters
    tables: int
    """How many tables were used."""
    pairs: int
    """How many outcomes were predicted."""
    before: float
    """The mean surprise of an outcome (nats) under the parameters that there were; 0 where nothing was predicted."""
    after: float
    """The same under those that were found."""


Point = tuple[int, int]
"""Of the grid: the index of beta and of the draw probability."""


def estimate(results: Sequence[Result], start: Parameters, places: int) -> Estimate:
    """The parameters that predict the latest of these results best; `start` where none does better, or they are few.

    `places` is the most bots that a table of the variant may seat.
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


def _latest(results: Sequence[Result]) -> Sequence[Result]:
    seated = accumulate(len(result.versions) for result in reversed(results))
    fitting = sum(1 for _ in takewhile(lambda bots: bots <= MOST_SEATED, seated))
    return results[len(results) - fitting :]


def _surprises(results: Sequence[Result], parameters: Parameters) -> list[float]:
    told = forecasts(results, parameters)
    return [each.chances.surprise(each.outcome) for each in told if each.experience >= EXPERIENCE]


def _climb(results: Sequence[Result], start: Parameters, places: int) -> tuple[Parameters, float]:
    """The point of the grid that no neighbour surpasses, from the one nearest to `start`, and its mean surprise."""
    draws = DRAWS if places <= LARGE else DRAWS[:LARGE_DRAWS]

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
    """The points one step along one of the axes, as far as the grid reaches."""
    beta, draw = point
    steps = [(beta + step * (1 - axis), draw + step * axis) for step in (-1, 1)]
    return [step for step in steps if 0 <= step[axis] < sizes[axis]]
