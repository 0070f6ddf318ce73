"""Types of the ratings: skill estimates, results, changes, and the two parameters of a variant."""

from typing import Final, NamedTuple

from arena.games import registry

MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = SIGMA
"""Twice the default of the `trueskill` package: results of card tables stray further from skill. See
docs/statistics.md."""

MOST_PLACES: Final = 40
"""Maximum number of bots that a result may rank. With many more, an upset may underflow floats: 64 can fail."""

PROVISIONAL_SIGMA: Final = 2.5
"""Sigma above which a rating is called provisional."""


class Rating(NamedTuple):
    """Estimate of a skill: a normal distribution."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def conservative(self) -> float:
        """Lower bound that the skill almost certainly exceeds."""
        return self.mu - 3 * self.sigma

    @property
    def provisional(self) -> bool:
        """Whether the rating is based on too few results to say much."""
        return self.sigma > PROVISIONAL_SIGMA


class Parameters(NamedTuple):
    """Rating parameters of a variant."""

    beta: float = BETA
    """Standard deviation of a bot's performance at a table around its skill, on the scale of mu."""
    draw_probability: float = 0.05
    """Probability that two bots of equal skill tie."""


class Era(NamedTuple):
    """Parameters and the tables that they rate."""

    since: int
    """Lowest ID of a table in the era; the next era ends it."""
    parameters: Parameters


class Result(NamedTuple):
    """Result of a table: the ranks of its versions, both by place. 1 is the best rank, and equal ranks are ties."""

    table: int
    versions: tuple[int, ...]
    ranks: tuple[int, ...]
    matches: int
    """Number of matches that each of them played."""


class Change(NamedTuple):
    """Change of one version's rating by a table."""

    result: Result
    version: int
    rank: int
    rating: Rating
    """Rating after the table."""


def defaults(variant: str) -> Parameters:
    """Return the parameters of a variant until it has enough results. Raises `OptionError` for an unknown variant."""
    return Parameters(BETA, registry.variant(variant).draw_probability)
