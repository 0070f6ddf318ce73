"""Predictions beside what came."""

from math import log
from random import Random

import pytest

from arena.tournament.calibration import Prediction, calibration

SURE = (1.0, 0.0, 0.0)
EVEN = (0.4, 0.2, 0.4)


def test_nothing_predicted_is_nothing_to_compare() -> None:
    """There is no score of nothing."""
    assert calibration([]) is None


def test_who_always_knew_is_perfect() -> None:
    """Both scores are 0, and the last bin has it all."""
    found = calibration([Prediction(table, *SURE, 1) for table in range(5)])

    assert found
    assert (found.brier, found.log_loss, found.pairs) == (0.0, 0.0, 5)
    assert [(one.low, one.high, one.predicted, one.actual, one.pairs) for one in found.bins] == [(0.9, 1.0, 1, 1, 5)]


def test_a_miss_that_was_certain_costs_most() -> None:
    """Squared, and as a logarithm that stays finite."""
    found = calibration([Prediction(1, *SURE, -1)])

    assert found
    assert found.brier == 2.0
    assert found.log_loss == pytest.approx(-log(1e-9))
    assert found.bins[0].interval is None


def test_a_tie_is_half_a_point() -> None:
    """Foreseen or come."""
    found = calibration([Prediction(1, *EVEN, 0), Prediction(2, *EVEN, 1)])

    assert found
    (only,) = found.bins
    assert (only.low, only.actual) == (0.5, 0.75)
    assert only.predicted == pytest.approx(0.5)
    assert found.log_loss == pytest.approx(-(log(0.2) + log(0.4)) / 2)
    assert found.brier == pytest.approx((0.4**2 + 0.8**2 + 0.4**2 + 0.6**2 + 0.2**2 + 0.4**2) / 2)


def test_pairs_of_a_table_are_one_observation() -> None:
    """Ten times the same pair at a table makes nobody surer."""
    tables = [(table, 1 if table % 3 else -1) for table in range(12)]
    single = calibration([Prediction(table, *EVEN, outcome) for table, outcome in tables])
    tenfold = calibration([Prediction(table, *EVEN, outcome) for table, outcome in tables for _ in range(10)])

    assert single
    assert tenfold
    assert single.bins[0].interval == pytest.approx(tenfold.bins[0].interval)


def test_true_chances_come_as_often_as_they_say() -> None:
    """Every bin's interval, at 95 %, but for one of ten at most; a boaster's do not."""
    rng, honest, boaster = Random(4), [], []
    for table in range(4000):
        win = rng.random()
        outcome = 1 if rng.random() < win else -1
        honest.append(Prediction(table, win, 0.0, 1 - win, outcome))
        loud = float(round(win))
        boaster.append(Prediction(table, loud, 0.0, 1 - loud, outcome))

    fair, vain = calibration(honest), calibration(boaster)

    assert fair
    assert vain
    assert sum(bool(one.interval and one.interval.low < one.predicted < one.interval.high) for one in fair.bins) >= 9
    assert not any(one.interval and one.interval.low < one.predicted < one.interval.high for one in vain.bins)
    assert fair.brier < vain.brier
    assert fair.log_loss < vain.log_loss
