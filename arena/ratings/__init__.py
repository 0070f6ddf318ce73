"""TrueSkill behind a few functions: the fold of table results, what it predicts, and the parameters that fit a variant.

Bots are fixed programs, so nothing drifts: the dynamics factor (tau) is 0. A table's result rates its bots as a
free-for-all with ties; a pair of partners is one bot, hence one player. Equal results in equal order give equal bits.
"""

from arena.ratings.estimation import Estimate, estimate
from arena.ratings.folding import fold
from arena.ratings.model import (
    BETA,
    DRAW_PROBABILITY,
    MOST_PLACES,
    MU,
    PROVISIONAL_SIGMA,
    SIGMA,
    Change,
    Parameters,
    Rating,
    Result,
    defaults,
)
from arena.ratings.prediction import Chances, Forecast, forecasts, predict, quality

__all__ = [
    "BETA",
    "DRAW_PROBABILITY",
    "MOST_PLACES",
    "MU",
    "PROVISIONAL_SIGMA",
    "SIGMA",
    "Chances",
    "Change",
    "Estimate",
    "Forecast",
    "Parameters",
    "Rating",
    "Result",
    "defaults",
    "estimate",
    "fold",
    "forecasts",
    "predict",
    "quality",
]
