"""The fold: results in, changes out, one table after another."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import trueskill

from arena.ratings.model import MU, SIGMA, Change, Parameters, Rating, Result


def fold(
    results: Iterable[Result], parameters: Parameters, start: Mapping[int, Rating] | None = None
) -> Iterator[Change]:
    """Rate results one after another. `start` holds ratings by version; whoever is not in it is new."""
    ratings = dict(start or {})
    for result in results:
        before = [ratings.get(version, Rating()) for version in result.versions]
        for version, rank, rating in zip(result.versions, result.ranks, rate(before, result, parameters), strict=True):
            ratings[version] = rating
            yield Change(result, version, rank, rating)


def rate(before: Iterable[Rating], result: Result, parameters: Parameters) -> list[Rating]:
    """The ratings after a table, by place."""
    env = _environment(parameters)
    groups = [(env.create_rating(*rating),) for rating in before]
    return [Rating(rated.mu, rated.sigma) for (rated,) in env.rate(groups, list(result.ranks))]


@cache
def _environment(parameters: Parameters) -> trueskill.TrueSkill:
    return trueskill.TrueSkill(MU, SIGMA, parameters.beta, tau=0.0, draw_probability=parameters.draw_probability)
