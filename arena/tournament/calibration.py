"""Calibration: how often predictions come true (Dawid 1982, The well-calibrated Bayesian)."""

from collections.abc import Iterable, Sequence
from math import log
from statistics import fmean
from typing import Final, NamedTuple

from arena.tournament.intervals import Interval, Sums

BINS: Final = 10
"""Number of bins."""
IMPOSSIBLE: Final = 1e-9
"""Floor of a probability in the log loss, so that one outcome predicted with 0 does not outweigh all others."""


class Prediction(NamedTuple):
    """Prediction for a pair of bots before a table, and its outcome. Each pair of a table is given once."""

    table: int
    """ID of the table."""
    win: float
    tie: float
    loss: float
    """Probabilities for the first bot; with `win` and `tie` they add up to 1."""
    outcome: int
    """Outcome for the first bot: 1 for a win, 0 for a tie, -1 for a loss."""

    @property
    def share(self) -> float:
        """Expected share of the point that the two play for."""
        return self.win + self.tie / 2


class Bin(NamedTuple):
    """Predictions of similar share."""

    low: float
    """Lower end of the shares, inclusive."""
    high: float
    """Upper end of the shares, exclusive except in the last bin."""
    predicted: float
    """Mean predicted share."""
    actual: float
    """Mean actual share."""
    pairs: int
    """Number of predictions."""
    interval: Interval | None
    """Interval of the actual share, clustered by table; None below two tables."""


class Calibration(NamedTuple):
    """Quality of predictions."""

    bins: list[Bin]
    """Bins that are not empty."""
    pairs: int
    """Number of predictions."""
    brier: float
    """Mean squared error, summed over the three outcomes (Brier 1950): 0 is perfect, 2 the worst."""
    log_loss: float
    """Mean negative logarithm (nats) of the probability of the outcome: 0 is perfect, log 3 is guessing."""
    constant: float
    """Log loss of the best constant prediction, which uses the actual rate of ties."""


def calibration(predictions: Sequence[Prediction], bins: int = BINS) -> Calibration | None:
    """Compare predictions with outcomes, in bins of equal width; None without predictions."""
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
        constant_loss(fmean(not each.outcome for each in predictions)),
    )


def constant_loss(ties: float) -> float:
    """Return the log loss of always predicting the true rate of ties, with both wins equally likely."""
    return -sum(part * log(chance) for part, chance in ((ties, ties), (1 - ties, (1 - ties) / 2)) if part)


def _bin(low: float, high: float, inside: Sequence[Prediction]) -> Bin:
    sums = Sums.of(_tables(inside))
    return Bin(low, high, fmean(each.share for each in inside), sums.share(), len(inside), sums.interval())


def _tables(inside: Iterable[Prediction]) -> Iterable[tuple[int, int]]:
    """Return actual and possible half points per table, because pairs of a table share boards and bots."""
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
