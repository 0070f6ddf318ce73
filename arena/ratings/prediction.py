"""What ratings predict: the outcome between two bots, and how open a table is (Herbrich, Minka and Graepel 2007)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import exp, log, prod, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from arena.ratings.folding import rate
from arena.ratings.model import Parameters, Rating, Result

NORMAL: Final = NormalDist()
IMPOSSIBLE: Final = 1e-9
"""The smallest chance that is told: the performances of programs are no normal distribution so far out."""


class Chances(NamedTuple):
    """The chances of one bot against another; their sum is 1."""

    win: float
    tie: float
    loss: float

    def surprise(self, outcome: int) -> float:
        """The negative logarithm (nats) of the chance that an outcome had: 1 for won, 0 for tied, -1 for lost."""
        return -log(max(self[1 - outcome], IMPOSSIBLE))


class Forecast(NamedTuple):
    """What was predicted for two bots at a table before it was played, and what came."""

    table: int
    versions: tuple[int, int]
    chances: Chances
    """Those of the first version."""
    outcome: int
    """Of the first version: 1 for won, 0 for tied, -1 for lost."""
    experience: int
    """How many tables had been rated of the one with fewer."""


def predict(a: Rating, b: Rating, parameters: Parameters) -> Chances:
    """The chances of `a` against `b` at a table, under TrueSkill's model of performances."""
    spread = sqrt(2) * parameters.beta
    margin = NORMAL.inv_cdf((parameters.draw_probability + 1) / 2) * spread
    apart, unsure = a.mu - b.mu, sqrt(spread**2 + a.sigma**2 + b.sigma**2)
    win, loss = NORMAL.cdf((apart - margin) / unsure), NORMAL.cdf((-apart - margin) / unsure)
    return Chances(win, 1 - win - loss, loss)


def quality(ratings: Sequence[Rating], parameters: Parameters) -> float:
    """How open a table of these is, 0 to 1: the density of a draw between all, relative to that between known equals.

    TrueSkill's match quality for bots that play alone. With performances of variance d = beta^2 + sigma^2 its matrices
    come to two sums: of 1 / d, and of the squared distances of mu from its mean, both weighted by 1 / d.
    """
    variances = [parameters.beta**2 + rating.sigma**2 for rating in ratings]
    weights = [1 / variance for variance in variances]
    middle = sum(weight * rating.mu for weight, rating in zip(weights, ratings, strict=True)) / sum(weights)
    apart = sum(weight * (rating.mu - middle) ** 2 for weight, rating in zip(weights, ratings, strict=True))
    known = prod(parameters.beta**2 * weight for weight in weights) / parameters.beta**2
    return sqrt(known * len(ratings) / sum(weights)) * exp(-apart / 2)


def forecasts(results: Iterable[Result], parameters: Parameters) -> Iterator[Forecast]:
    """For every pair of every table what its own past predicts, with the outcome; all bots are new at first."""
    ratings: dict[int, Rating] = {}
    tables: dict[int, int] = {}
    for result in results:
        before = [ratings.get(version, Rating()) for version in result.versions]
        for first, second in combinations(range(len(before)), 2):
            versions = (result.versions[first], result.versions[second])
            outcome = _sign(result.ranks[second] - result.ranks[first])
            experience = min(tables.get(version, 0) for version in versions)
            yield Forecast(
                result.table, versions, predict(before[first], before[second], parameters), outcome, experience
            )
        ratings.update(zip(result.versions, rate(before, result, parameters), strict=True))
        tables.update((version, tables.get(version, 0) + 1) for version in result.versions)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
