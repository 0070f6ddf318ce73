"""Shares of match points, their intervals, and superiority."""

from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.intervals import Interval, Sums, of_mean

TABLES = st.lists(st.integers(1, 24).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=2)
EVEN = [(12, 24), (13, 24), (11, 24)]


@given(tables=TABLES, order=st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_order_of_tables_does_not_matter(tables: list[tuple[int, int]], order: Random) -> None:
    """The sums are integers, and everything else follows from them."""
    shuffled = order.sample(tables, len(tables))

    assert Sums.of(shuffled) == Sums.of(tables)


@given(tables=TABLES)
@settings(max_examples=50)
def test_error_follows_its_definition(tables: list[tuple[int, int]]) -> None:
    """Computing it from the residuals of the tables gives the same."""
    sums = Sums.of(tables)
    off = [h - sums.share() * n for h, n in tables]
    variance = len(tables) / (len(tables) - 1) * sum(each**2 for each in off) / sums.n**2

    assert sums.error() == pytest.approx(variance**0.5, abs=1e-9)


def test_tables_of_equal_size_give_the_interval_of_a_mean() -> None:
    """If all tables have the same maximum, it is the textbook interval."""
    shares = [0.25, 0.5, 0.75, 0.5, 0.625]
    reach = 2.7764 * stdev(shares) / 5**0.5

    interval = Sums.of((int(share * 24), 24) for share in shares).interval()

    assert interval == pytest.approx((fmean(shares) - reach, fmean(shares) + reach), abs=1e-4)


@given(tables=TABLES)
@settings(max_examples=50)
def test_interval_contains_the_share_and_stays_within_bounds(tables: list[tuple[int, int]]) -> None:
    """Less confidence does not widen it, and the probabilities that either bot is better add up to 1."""
    sums, others = Sums.of(tables), Sums.of((n - h, n) for h, n in tables)
    wide, narrow = sums.interval(), sums.interval(0.5)
    better, worse = sums.superiority(), others.superiority()

    assert wide
    assert narrow
    assert 0 <= wide.low <= narrow.low <= sums.share() <= narrow.high <= wide.high <= 1
    assert better is not None
    assert worse is not None
    assert better + worse == pytest.approx(1.0)


def test_single_table_has_no_interval() -> None:
    """One table has a share only, and no tables have not even that."""
    one = Sums.of([(3, 24)])

    assert one.share() == 0.125
    assert one.interval() is None
    assert one.superiority() is None
    assert Sums.of([]) == (0,) * 6
    assert Sums.of([]).interval() is None


@pytest.mark.parametrize(
    ("h", "expected", "better"),
    [(24, Interval(0.025 ** (1 / 3), 1.0), 0.875), (0, Interval(0.0, 1 - 0.025 ** (1 / 3)), 0.125)],
)
def test_outright_wins_are_not_certainty(h: int, expected: Interval, better: float) -> None:
    """Neither are outright losses."""
    sums = Sums.of([(h, 24)] * 3)

    assert sums.interval() == pytest.approx(expected)
    assert sums.superiority() == better


def test_identical_tables_are_not_certainty() -> None:
    """This also holds for shares in the middle; a hundred such tables give a narrower interval than two."""
    two, hundred = (Sums.of([(18, 24)] * count).interval() for count in (2, 100))

    assert two is not None
    assert hundred is not None
    assert two.high - two.low > 0.8
    assert 0.7 < hundred.low < 0.75 < hundred.high < 0.8


def test_half_of_the_points_is_neither_better_nor_worse() -> None:
    """This holds whether tables differ or not."""
    assert Sums.of(EVEN).superiority() == pytest.approx(0.5)
    assert Sums.of([(12, 24)] * 3).superiority() == 0.5
    assert Sums.of((h + 1, n) for h, n in EVEN).superiority() == pytest.approx(0.887, abs=1e-3)


def test_intervals_cover_the_true_share() -> None:
    """95 % of 2,000 intervals do, each over ten tables whose matches share a bias of up to a fifth."""
    rng = Random(20)
    held = 0
    for _ in range(2000):
        biass = [0.6 + rng.uniform(-0.2, 0.2) for _ in range(10)]
        sizes = [rng.choice((12, 24)) for _ in biass]
        tables = [(sum(rng.random() < bias for _ in range(n)), n) for bias, n in zip(biass, sizes, strict=True)]
        interval = Sums.of(tables).interval()
        assert interval
        held += interval.low <= 0.6 <= interval.high

    assert held / 2000 == pytest.approx(0.95, abs=0.015)


def test_interval_of_a_mean() -> None:
    """Four values with mean 5 and standard deviation 2 have the interval 5 ± 3.182 · 2 / 2 of Student's t."""
    low, high = of_mean([5 - 3**0.5, 5 + 3**0.5, 5 - 3**0.5, 5 + 3**0.5]) or (0.0, 0.0)

    assert (low, high) == pytest.approx((5 - 3.18245, 5 + 3.18245), abs=1e-4)


def test_values_without_variance_have_no_interval() -> None:
    """One value, or equal ones, say nothing of the spread."""
    assert of_mean([3.0]) is None
    assert of_mean([3.0, 3.0]) is None
