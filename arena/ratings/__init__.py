"""TrueSkill behind a few functions: the fold of table results, predictions, and parameters fitted to a variant.

Bots are fixed programs, so skills do not drift: the dynamics factor (tau) is 0. A table's result rates its bots as a
free-for-all with ties. Two partners are one bot, hence one player. Equal results in equal order give equal bits.
"""

from arena.ratings.estimation import Estimate, edges, estimate
from arena.ratings.model import (
    BETA,
    MOST_PLACES,
    MU,
    PROVISIONAL_SIGMA,
    SIGMA,
    Change,
    Era,
    Parameters,
    Rating,
    Result,
    defaults,
)
from arena.ratings.precision import MOST_TABLES, tables_missing
from arena.ratings.prediction import Chances, Forecast, forecasts, predict, quality
from arena.ratings.updates import fold, fold_eras, parameters_at

__all__ = [
    "BETA",
    "MOST_PLACES",
    "MOST_TABLES",
    "MU",
    "PROVISIONAL_SIGMA",
    "SIGMA",
    "Chances",
    "Change",
    "Era",
    "Estimate",
    "Forecast",
    "Parameters",
    "Rating",
    "Result",
    "defaults",
    "edges",
    "estimate",
    "fold",
    "fold_eras",
    "forecasts",
    "parameters_at",
    "predict",
    "quality",
    "tables_missing",
]
