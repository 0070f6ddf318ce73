"""Times in few bytes."""

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
def test_what_was_stored_is_read_again(times: list[float]) -> None:
    """Bin by bin."""
    histogram = Histogram.of(times)

    assert Histogram.decode(histogram.encode()) == histogram
    assert histogram.times == len(times)


def test_large_counts_and_wide_gaps_are_stored_as_well() -> None:
    """What is merged over many matches."""
    histogram = Histogram((1, 0, 0, 127, 128, *[0] * 300, 10**9))

    assert Histogram.decode(histogram.encode()) == histogram
    assert len(histogram.encode()) == 12


@given(times=st.lists(TIMES, max_size=4))
@settings(max_examples=50)
def test_to_merge_is_to_have_counted_together(times: list[list[float]]) -> None:
    """However they were spread over matches."""
    assert merged(map(Histogram.of, times)) == Histogram.of(chain(*times))


@pytest.mark.parametrize(("seconds", "bin"), [(0.0, 0), (1e-6, 0), (2e-6, 4), (2.37e-6, 4), (2.38e-6, 5), (1.0, 79)])
def test_four_bins_double_the_time(seconds: float, bin: int) -> None:
    """From a microsecond up."""
    assert bin_of(seconds) == bin


def test_a_percentile_is_a_time_that_is_hardly_off() -> None:
    """By at most half a bin, which is 9 %."""
    rng = Random(1)
    times = sorted(rng.lognormvariate(-7, 1.5) for _ in range(999))
    histogram = Histogram.of(times)

    for part in (0.01, 0.5, 0.9, 0.99, 1.0):
        assert histogram.percentile(part) == pytest.approx(times[ceil(part * 999) - 1], rel=0.1)
    assert histogram.percentile(0.0) == pytest.approx(times[0], rel=0.1)
    assert Histogram().percentile(0.5) is None


def test_a_match_costs_some_twenty_bytes() -> None:
    """Fifty answers of a bot whose times differ by a factor of a hundred."""
    rng = Random(1)

    assert len(Histogram.of(rng.uniform(1, 100) * 1e-5 for _ in range(50)).encode()) <= 20
