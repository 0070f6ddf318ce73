"""The range in which a tournament will probably end."""

from random import Random

import pytest

from arena.tournament.pace import FEWEST, time_left


def test_range_surrounds_the_time_at_the_measured_pace() -> None:
    """Ten tables in 18 seconds make 100 seconds for the next fifty."""
    found = time_left([2.0 * table for table in range(10)], 50, 20.0)

    assert found is not None
    assert found.earliest < 100 < found.latest
    assert found.earliest * found.latest == pytest.approx(100**2)


def test_range_narrows_with_tables_measured() -> None:
    """More results, more certainty."""
    few, many = (time_left([float(table) for table in range(count)], 100, float(count)) for count in (6, 50))

    assert few is not None
    assert many is not None
    assert many.latest / many.earliest < few.latest / few.earliest


@pytest.mark.parametrize(
    ("finished", "left", "now"),
    [
        ([0.0] * (FEWEST - 1), 10, 9.0),
        ([0.0] * FEWEST, 0, 9.0),
        ([9.0] * FEWEST, 10, 9.0),
        ([float(table) for table in range(10)], 10, 100.0),
    ],
    ids=["too few", "nothing left", "all at once", "stalled"],
)
def test_end_is_unknown(finished: list[float], left: int, now: float) -> None:
    """No range is better than one that means nothing."""
    assert time_left(finished, left, now) is None


def test_range_holds_the_end_19_times_of_20() -> None:
    """About 95 % of simulated tournaments with independent tables end within the range."""
    rng = Random(5)
    within = 0
    for _ in range(1000):
        times = [0.0]
        for _ in range(60):
            times.append(times[-1] + rng.expovariate(1.0))
        found = time_left(times[1:31], 30, times[30])
        assert found is not None
        within += found.earliest <= times[60] - times[30] <= found.latest

    assert 930 <= within <= 985
