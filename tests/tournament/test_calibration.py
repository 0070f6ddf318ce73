"""Calibration of predictions."""

from math import log
from random import Random

import pytest

from arena.tournament.calibration import Prediction, calibration

SURE = (1.0, 0.0, 0.0)
EVEN = (0.4, 0.2, 0.4)


def test_no_predictions_have_no_score() -> None:
    """Without predictions there is nothing to compare."""
    assert calibration([]) is None


def test_certain_and_right_predictions_are_perfect() -> None:
    """Both scores are 0, and all predictions are in the last bin."""
    found = calibration([Prediction(table, *SURE, 1) for table in range(5)])

    assert found
    assert (found.brier, found.log_loss, found.pairs) == (0.0, 0.0, 5)
    assert [(one.low, one.high, one.predicted, one.actual, one.pairs) for one in found.bins] == [(0.9, 1.0, 1, 1, 5)]


def test_certain_and_wrong_prediction_costs_most() -> None:
    """The Brier score is 2, and the log loss stays finite."""
    found = calibration([Prediction(1, *SURE, -1)])

    assert found
    assert found.brier == 2.0
    assert found.log_loss == pytest.approx(-log(1e-9))
    assert found.bins[0].interval is None


def test_tie_is_half_a_point() -> None:
    """This holds for predictions and for outcomes."""
    found = calibration([Prediction(1, *EVEN, 0), Prediction(2, *EVEN, 1)])

    assert found
    (only,) = found.bins
    assert (only.low, only.actual) == (0.5, 0.75)
    assert only.predicted == pytest.approx(0.5)
    assert found.log_loss == pytest.approx(-(log(0.2) + log(0.4)) / 2)
    assert found.brier == pytest.approx((0.4**2 + 0.8**2 + 0.4**2 + 0.6**2 + 0.2**2 + 0.4**2) / 2)


def test_constant_prediction_uses_the_rate_of_ties() -> None:
    """Predictions with a higher log loss are worthless."""
    found = calibration([Prediction(1, *EVEN, outcome) for outcome in (0, 1, -1, -1)])
    decided = calibration([Prediction(1, *SURE, outcome) for outcome in (1, -1)])

    assert found
    assert found.constant == pytest.approx(-(log(0.25) + 3 * log(0.375)) / 4)
    assert decided
    assert decided.constant == pytest.approx(log(2))


def test_pairs_of_a_table_are_one_observation() -> None:
    """Repeating a pair at a table ten times does not narrow the interval."""
    tables = [(table, 1 if table % 3 else -1) for table in range(12)]
    single = calibration([Prediction(table, *EVEN, outcome) for table, outcome in tables])
    tenfold = calibration([Prediction(table, *EVEN, outcome) for table, outcome in tables for _ in range(10)])

    assert single
    assert tenfold
    assert single.bins[0].interval == pytest.approx(tenfold.bins[0].interval)


def test_true_probabilities_are_calibrated() -> None:
    """At least nine of ten bins hold their prediction; the bins of an overconfident predictor do not."""
    rng, honest, overconfident = Random(4), [], []
    for table in range(4000):
        win = rng.random()
        outcome = 1 if rng.random() < win else -1
        honest.append(Prediction(table, win, 0.0, 1 - win, outcome))
        loud = float(round(win))
        overconfident.append(Prediction(table, loud, 0.0, 1 - loud, outcome))

    fair, bold = calibration(honest), calibration(overconfident)

    assert fair
    assert bold
    assert sum(bool(one.interval and one.interval.low < one.predicted < one.interval.high) for one in fair.bins) >= 9
    assert not any(one.interval and one.interval.low < one.predicted < one.interval.high for one in bold.bins)
    assert fair.brier < bold.brier
    assert fair.log_loss < bold.log_loss
