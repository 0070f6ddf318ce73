"""Compact histograms of times."""

from itertools import chain
from math import ceil
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.histogram import Histogram, bin_of, merged

TIMES = st.lists(st.floats(0, 1000, allow_nan=False), max_size=40)


@given(times=TIMES)
@settings(max_examples=50)
def test_encoding_round_trips(times: list[float]) -> None:
    """All bins are restored, and all times are counted."""
    histogram = Histogram.of(times)

    assert Histogram.decode(histogram.encode()) == histogram
    assert histogram.times == len(times)


def test_large_counts_and_wide_gaps_are_compact() -> None:
    """Histograms merged over many matches have both."""
    histogram = Histogram((1, 0, 0, 127, 128, *[0] * 300, 10**9))

    assert Histogram.decode(histogram.encode()) == histogram
    assert len(histogram.encode()) == 12


@given(times=st.lists(TIMES, max_size=4))
@settings(max_examples=50)
def test_merging_adds_up_counts(times: list[list[float]]) -> None:
    """The result does not depend on how times are spread over histograms."""
    assert merged(Histogram.of(some).encode() for some in times) == Histogram.of(chain(*times))


def test_damaged_encoding_is_an_error() -> None:
    """A run of empty bins that lacks its length is not taken for an empty histogram."""
    with pytest.raises(ValueError, match="run of empty bins"):
        Histogram.decode(b"\x10")


@pytest.mark.parametrize(("seconds", "bin"), [(0.0, 0), (1e-6, 0), (2e-6, 4), (2.37e-6, 4), (2.38e-6, 5), (1.0, 79)])
def test_octave_has_four_bins(seconds: float, bin: int) -> None:
    """The first starts at a microsecond."""
    assert bin_of(seconds) == bin


def test_percentile_is_accurate_to_half_a_bin() -> None:
    """Half a bin is 9 %."""
    rng = Random(1)
    times = sorted(rng.lognormvariate(-7, 1.5) for _ in range(999))
    histogram = Histogram.of(times)

    for part in (0.01, 0.5, 0.9, 0.99, 1.0):
        assert histogram.percentile(part) == pytest.approx(times[ceil(part * 999) - 1], rel=0.1)
    assert histogram.percentile(0.0) == pytest.approx(times[0], rel=0.1)
    assert Histogram().percentile(0.5) is None


def test_match_takes_at_most_twenty_bytes() -> None:
    """The times of fifty answers differ by a factor of up to a hundred."""
    rng = Random(1)

    assert len(Histogram.of(rng.uniform(1, 100) * 1e-5 for _ in range(50)).encode()) <= 20
