"""Rating updates: fold table results into rating changes, one table after another."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby

import trueskill

from arena.ratings.model import MU, SIGMA, Change, Era, Parameters, Rating, Result


def fold(
    results: Iterable[Result], parameters: Parameters, start: Mapping[int, Rating] | None = None
) -> Iterator[Change]:
    """Rate results one after another, all with the same parameters.

    `start` holds ratings by version; versions that are not in it are new.
    """
    ratings = dict(start or {})
    for result in results:
        before = [ratings.get(version, Rating()) for version in result.versions]
        for version, rank, rating in zip(result.versions, result.ranks, rate(before, result, parameters), strict=True):
            ratings[version] = rating
            yield Change(result, version, rank, rating)


def fold_eras(
    results: Iterable[Result], eras: Sequence[Era], start: Mapping[int, Rating] | None = None
) -> Iterator[Change]:
    """Rate results in table order, each with the parameters of its era. `eras` are in ascending order."""
    ratings = dict(start or {})
    for parameters, group in groupby(results, lambda result: parameters_at(eras, result.table)):
        for change in fold(group, parameters, ratings):
            ratings[change.version] = change.rating
            yield change


def parameters_at(eras: Sequence[Era], table: int) -> Parameters:
    """Return the parameters that rate a table."""
    return [era.parameters for era in eras if era.since <= table][-1]


def rate(before: Iterable[Rating], result: Result, parameters: Parameters) -> list[Rating]:
    """Return the ratings after a table, by place."""
    env = _environment(parameters)
    groups = [(env.create_rating(*rating),) for rating in before]
    return [Rating(rated.mu, rated.sigma) for (rated,) in env.rate(groups, list(result.ranks))]


@cache
def _environment(parameters: Parameters) -> trueskill.TrueSkill:
    return trueskill.TrueSkill(MU, SIGMA, parameters.beta, tau=0.0, draw_probability=parameters.draw_probability)
