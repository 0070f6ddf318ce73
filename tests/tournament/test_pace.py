"""The range in which a tournament will probably end."""

from random import Random

import pytest

from arena.tournament.pace import FEWEST, duration, time_left


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


@pytest.mark.parametrize(("gap", "quiet"), [(1.0, 30.0), (60.0, 600.0)])
def test_pause_of_usual_length_is_no_stall(gap: float, quiet: float) -> None:
    """The end stays known for half a minute, and for ten usual gaps between two tables."""
    finished = [gap * table for table in range(FEWEST)]

    assert time_left(finished, 10, finished[-1] + quiet) is not None
    assert time_left(finished, 10, finished[-1] + quiet + 1) is None


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


def test_duration_follows_from_earlier_tournaments() -> None:
    """Five tournaments of about 2 s a match make about 200 s for 100 matches; unlike ones widen the range."""
    steady, unlike = (duration(earlier, 100) for earlier in ([1.9, 2.0, 2.1, 2.0, 2.0], [0.5, 2.0, 8.0, 2.0, 2.0]))

    assert steady is not None
    assert unlike is not None
    assert steady.earliest < 200 < steady.latest
    assert steady.latest / steady.earliest < 2 < unlike.latest / unlike.earliest


@pytest.mark.parametrize(
    ("earlier", "amount"), [([2.0, 2.0], 100), ([2.0, 2.0, 2.0], 0), ([2.0, 2.0, 0.0], 100)],
    ids=["too few", "nothing to play", "took no time"],
)  # fmt: skip
def test_duration_is_unknown(earlier: list[float], amount: float) -> None:
    """Less than three tournaments predict nothing."""
    assert duration(earlier, amount) is None


def test_duration_holds_19_times_of_20() -> None:
    """About 95 % of tournaments whose paces vary by half take as long as predicted from six earlier ones."""
    rng = Random(5)
    within = 0
    for _ in range(1000):
        *earlier, later = (rng.lognormvariate(0.0, 0.5) for _ in range(7))
        found = duration(earlier, 1.0)
        assert found is not None
        within += found.earliest <= later <= found.latest

    assert 930 <= within <= 970
