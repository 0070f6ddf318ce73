"""Shares of match points, how sure they are, and who is better."""

from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.intervals import Interval, Sums

TABLES = st.lists(st.integers(1, 24).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=2)
EVEN = [(12, 24), (13, 24), (11, 24)]


@given(tables=TABLES, order=st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_the_order_of_tables_does_not_matter(tables: list[tuple[int, int]], order: Random) -> None:
    """The sums are whole numbers, and everything else follows from them."""
    shuffled = order.sample(tables, len(tables))

    assert Sums.of(shuffled) == Sums.of(tables)


@given(tables=TABLES)
@settings(max_examples=50)
def test_the_error_is_that_of_what_each_table_is_off_by(tables: list[tuple[int, int]]) -> None:
    """As it is defined, computed from the tables themselves."""
    sums = Sums.of(tables)
    off = [h - sums.share() * n for h, n in tables]
    variance = len(tables) / (len(tables) - 1) * sum(each**2 for each in off) / sums.n**2

    assert sums.error() == pytest.approx(variance**0.5, abs=1e-9)


def test_equal_tables_give_the_interval_of_a_mean() -> None:
    """Where every table has the same most, it is that of every textbook."""
    shares = [0.25, 0.5, 0.75, 0.5, 0.625]
    reach = 2.7764 * stdev(shares) / 5**0.5

    interval = Sums.of((int(share * 24), 24) for share in shares).interval()

    assert interval == pytest.approx((fmean(shares) - reach, fmean(shares) + reach), abs=1e-4)


@given(tables=TABLES)
@settings(max_examples=50)
def test_an_interval_lies_about_the_share_within_what_is_possible(tables: list[tuple[int, int]]) -> None:
    """Less confidence makes it no wider; nobody is surer of the one being better than of the other."""
    sums, others = Sums.of(tables), Sums.of((n - h, n) for h, n in tables)
    wide, narrow = sums.interval(), sums.interval(0.5)
    better, worse = sums.superiority(), others.superiority()

    assert wide
    assert narrow
    assert 0 <= wide.low <= narrow.low <= sums.share() <= narrow.high <= wide.high <= 1
    assert better is not None
    assert worse is not None
    assert better + worse == pytest.approx(1.0)


def test_a_table_alone_says_nothing_about_how_tables_differ() -> None:
    """It has a share, and no interval; no table has not even that."""
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
def test_three_tables_won_outright_are_no_certainty(h: int, expected: Interval, better: float) -> None:
    """Nor are three that were lost."""
    sums = Sums.of([(h, 24)] * 3)

    assert sums.interval() == pytest.approx(expected)
    assert sums.superiority() == better


def test_two_tables_that_happen_to_be_alike_are_no_certainty() -> None:
    """Not where the share is in the middle either; of a hundred such tables more is known."""
    two, hundred = (Sums.of([(18, 24)] * count).interval() for count in (2, 100))

    assert two is not None
    assert hundred is not None
    assert two.high - two.low > 0.8
    assert 0.7 < hundred.low < 0.75 < hundred.high < 0.8


def test_who_takes_half_is_as_likely_better_as_worse() -> None:
    """Whether tables differ or not."""
    assert Sums.of(EVEN).superiority() == pytest.approx(0.5)
    assert Sums.of([(12, 24)] * 3).superiority() == 0.5
    assert Sums.of((h + 1, n) for h, n in EVEN).superiority() == pytest.approx(0.887, abs=1e-3)


def test_intervals_hold_the_true_share_as_often_as_they_say() -> None:
    """Of ten tables each, whose matches lean together by up to a fifth: 2,000 draws of which 95 % should."""
    rng = Random(20)
    held = 0
    for _ in range(2000):
        leans = [0.6 + rng.uniform(-0.2, 0.2) for _ in range(10)]
        sizes = [rng.choice((12, 24)) for _ in leans]
        tables = [(sum(rng.random() < lean for _ in range(n)), n) for lean, n in zip(leans, sizes, strict=True)]
        interval = Sums.of(tables).interval()
        assert interval
        held += interval.low <= 0.6 <= interval.high

    assert held / 2000 == pytest.approx(0.95, abs=0.015)
