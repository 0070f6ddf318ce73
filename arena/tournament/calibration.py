"""Calibration: whether what was predicted comes as often as it was said (Dawid 1982, The well-calibrated Bayesian)."""

from collections.abc import Iterable, Sequence
from math import log
from statistics import fmean
from typing import Final, NamedTuple

from arena.tournament.intervals import Interval, Sums

BINS: Final = 10
IMPOSSIBLE: Final = 1e-9
"""What a chance of 0 counts as where it came true all the same, so that one mistake does not outweigh all else."""


class Prediction(NamedTuple):
    """What was said of a pair of bots before a table, and what came. Each pair of a table is given once."""

    table: int
    win: float
    tie: float
    loss: float
    """The chances of the first of the two; their sum is 1."""
    outcome: int
    """Of the first: 1 for won, 0 for tied, -1 for lost."""

    @property
    def share(self) -> float:
        """The points that were expected, of the point that the two play for."""
        return self.win + self.tie / 2


class Bin(NamedTuple):
    """Predictions of like share."""

    low: float
    high: float
    """Of the shares in it; the last bin has its `high` itself, too."""
    predicted: float
    """The mean share predicted."""
    actual: float
    """The mean share that came."""
    pairs: int
    interval: Interval | None
    """Of the actual share, clustered by table; None below two tables."""


class Calibration(NamedTuple):
    """How good predictions were."""

    bins: list[Bin]
    """Those that are not empty."""
    pairs: int
    brier: float
    """The mean over pairs of the squared errors of the three chances (Brier 1950): 0 is perfect, 2 the worst."""
    log_loss: float
    """The mean negative logarithm (nats) of the chance that the outcome had: 0 is perfect, log 3 knows nothing."""


def calibration(predictions: Sequence[Prediction], bins: int = BINS) -> Calibration | None:
    """Compare predictions with outcomes, in bins of equal width; None where there are none."""
    if not predictions:
        return None
    by_bin: list[list[Prediction]] = [[] for _ in range(bins)]
    for each in predictions:
        by_bin[min(int(each.share * bins), bins - 1)].append(each)
    return Calibration(
        [_bin(number / bins, (number + 1) / bins, inside) for number, inside in enumerate(by_bin) if inside],
        len(predictions),
        fmean(map(_brier, predictions)),
        fmean(-log(max(_chances(each)[1 - each.outcome], IMPOSSIBLE)) for each in predictions),
    )


def _bin(low: float, high: float, inside: Sequence[Prediction]) -> Bin:
    sums = Sums.of(_tables(inside))
    return Bin(low, high, fmean(each.share for each in inside), sums.share(), len(inside), sums.interval())


def _tables(inside: Iterable[Prediction]) -> Iterable[tuple[int, int]]:
    """By table the half points that came, and the most possible: its pairs share boards and bots."""
    tables: dict[int, tuple[int, int]] = {}
    for each in inside:
        came, most = tables.get(each.table, (0, 0))
        tables[each.table] = (came + each.outcome + 1, most + 2)
    return tables.values()


def _brier(prediction: Prediction) -> float:
    came = 1 - prediction.outcome
    return sum((chance - (place == came)) ** 2 for place, chance in enumerate(_chances(prediction)))


def _chances(prediction: Prediction) -> tuple[float, float, float]:
    return prediction.win, prediction.tie, prediction.loss
