"""Predictions from ratings: outcomes between two bots, and how open a table is (Herbrich, Minka and Graepel 2007)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import exp, log, prod, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from arena.ratings.model import Parameters, Rating, Result
from arena.ratings.updates import rate

NORMAL: Final = NormalDist()
IMPOSSIBLE: Final = 1e-9
"""Smallest probability used: the performances of programs are not normally distributed that far from the mean."""


class Chances(NamedTuple):
    """Probabilities of the outcomes for one bot against another; they sum to 1."""

    win: float
    tie: float
    loss: float

    def surprise(self, outcome: int) -> float:
        """Return the negative log probability (nats) of an outcome: 1 for a win, 0 for a tie, -1 for a loss."""
        return -log(max(self[1 - outcome], IMPOSSIBLE))


class Forecast(NamedTuple):
    """Prediction for two bots at a table before it was played, and the actual outcome."""

    table: int
    versions: tuple[int, int]
    chances: Chances
    """Probabilities for the first version."""
    outcome: int
    """Outcome for the first version: 1 for a win, 0 for a tie, -1 for a loss."""
    experience: int
    """Number of tables rated before, of the version with fewer."""


def predict(a: Rating, b: Rating, parameters: Parameters) -> Chances:
    """Return the probabilities for `a` against `b` at a table, under TrueSkill's model of performances."""
    spread = sqrt(2) * parameters.beta
    margin = NORMAL.inv_cdf((parameters.draw_probability + 1) / 2) * spread
    apart, unsure = a.mu - b.mu, sqrt(spread**2 + a.sigma**2 + b.sigma**2)
    win, loss = NORMAL.cdf((apart - margin) / unsure), NORMAL.cdf((-apart - margin) / unsure)
    return Chances(win, 1 - win - loss, loss)


def quality(ratings: Sequence[Rating], parameters: Parameters) -> float:
    """Return how open a table of these bots is, 0 to 1: the density of a draw between all, relative to known equals.

    This is TrueSkill's match quality for bots that play alone. With performances of variance d = beta^2 + sigma^2 its
    matrices reduce to two sums: of 1 / d, and of the squared distances of mu from its mean, both weighted by 1 / d.
    """
    known = parameters.beta**2
    weights = [1 / (known + rating.sigma**2) for rating in ratings]
    total = sum(weights)
    middle = sum(weight * rating.mu for weight, rating in zip(weights, ratings, strict=True)) / total
    apart = sum(weight * (rating.mu - middle) ** 2 for weight, rating in zip(weights, ratings, strict=True))
    return sqrt(prod(known * weight for weight in weights) / known * len(ratings) / total) * exp(-apart / 2)


def forecasts(results: Iterable[Result], parameters: Parameters) -> Iterator[Forecast]:
    """Predict every pair of every table from the tables before it, and yield the prediction with the outcome.

    All bots are new at the start.
    """
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
