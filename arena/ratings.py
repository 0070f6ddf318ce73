"""TrueSkill behind one function: a fold of table results, in table order.

Bots are fixed programs, so nothing drifts: the dynamics factor (tau) is 0. A table's result rates its bots as a
free-for-all with ties; a pair of partners is one bot, hence one player. Equal results in equal order give equal bits.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

import trueskill

MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = SIGMA / 2

DRAW_PROBABILITY: Final = 0.05
"""The chance that two bots of equal skill get equal match points at a table, for variants without one of their own."""

DRAW_PROBABILITIES: Final[Mapping[str, float]] = dict.fromkeys(
    ("suitability-4-partners", "suitability-2", "separate-suits-2"), 0.5
)
"""By variant. Two equals who swap seats over one set of boards win a match each half of the time. Measured with bots
that play at random, 500 tables of each variant: 0.50 to 0.51; with three places 0.11, four 0.07 to 0.10, five 0.06."""

MOST_PLACES: Final = 40
"""So many bots a result may rank. Of many more at once, an upset needs numbers that floats do not hold: 64 can fail."""

PROVISIONAL_SIGMA: Final = 2.5
"""Above this a rating is called provisional."""


class Rating(NamedTuple):
    """What is believed of a skill: a normal distribution."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def conservative(self) -> float:
        """What the skill is at least, almost certainly."""
        return self.mu - 3 * self.sigma

    @property
    def provisional(self) -> bool:
        """Whether there were too few results to say much."""
        return self.sigma > PROVISIONAL_SIGMA


class Result(NamedTuple):
    """What a table says: ranks (1 is best, equal ranks are ties) of its versions, both by place."""

    table: int
    versions: tuple[int, ...]
    ranks: tuple[int, ...]
    matches: int
    """In how many matches each of them played."""


class Change(NamedTuple):
    """What a table did to one version's rating."""

    result: Result
    version: int
    rank: int
    rating: Rating
    """After the table."""


def fold(results: Iterable[Result], variant: str, start: Mapping[int, Rating] | None = None) -> Iterator[Change]:
    """Rate results one after another. `start` holds ratings by version; whoever is not in it is new."""
    ratings = dict(start or {})
    env = _environment(DRAW_PROBABILITIES.get(variant, DRAW_PROBABILITY))
    for result in results:
        before = [ratings.get(version, Rating()) for version in result.versions]
        for version, rank, rating in zip(result.versions, result.ranks, _rate(env, before, result.ranks), strict=True):
            ratings[version] = rating
            yield Change(result, version, rank, rating)


def _rate(env: trueskill.TrueSkill, before: Iterable[Rating], ranks: Iterable[int]) -> list[Rating]:
    groups = [(env.create_rating(*rating),) for rating in before]
    return [Rating(rated.mu, rated.sigma) for (rated,) in env.rate(groups, list(ranks))]


@cache
def _environment(draw_probability: float) -> trueskill.TrueSkill:
    return trueskill.TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=draw_probability)
