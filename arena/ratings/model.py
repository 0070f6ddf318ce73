"""What ratings are made of: beliefs, results, changes, and the two parameters of a variant."""

from collections.abc import Mapping
from typing import Final, NamedTuple

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


class Parameters(NamedTuple):
    """What a variant is like."""

    beta: float = BETA
    """How far a bot's performance at a table strays from its skill: the standard deviation, on the scale of mu."""
    draw_probability: float = DRAW_PROBABILITY
    """The chance that two bots of equal skill tie."""


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


def defaults(variant: str) -> Parameters:
    """The parameters of a variant before its own results say better."""
    return Parameters(BETA, DRAW_PROBABILITIES.get(variant, DRAW_PROBABILITY))
