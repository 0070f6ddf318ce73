"""The sequential test of whether one bot is better than another."""

from collections.abc import Callable, Iterator
from itertools import chain, repeat
from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.sequential import FEWEST, PRIOR, SequentialTest, Verdict

LEADS = st.lists(st.integers(-4, 4).map(lambda lead: (lead, 4)), max_size=40)
QUICK = SequentialTest(delta=0.2)
OPEN = SequentialTest(delta=0.2, alpha=1e-12, beta=1e-12)
"""Never decides on a few tables."""


def likelihood(losses: float, ties: float, wins: float, mean: float) -> float:
    """The logarithm of the largest likelihood of so many leads of -1, 0 and 1 under a mean, by thirds."""

    def at(win: float) -> float:
        return losses * log(win - mean) + ties * log(1 + mean - 2 * win) + wins * log(win)

    low, high = max(0.0, mean) + 1e-12, (1 + mean) / 2 - 1e-12
    while high - low > 1e-9:
        third = (high - low) / 3
        low, high = (low + third, high) if at(low + third) < at(high - third) else (low, high - third)
    return at(low)


@given(losses=st.integers(0, 9), ties=st.integers(1, 9), wins=st.integers(0, 9))
@settings(max_examples=30)
def test_the_ratio_is_that_of_the_likeliest_distributions(losses: int, ties: int, wins: int) -> None:
    """Found by trying all distributions of three outcomes with these means."""
    leads = [(-1, 1)] * losses + [(0, 1)] * ties + [(1, 1)] * wins
    counts = (losses + PRIOR, ties, wins + PRIOR)

    verdict = OPEN.state(leads)

    assert verdict.llr == pytest.approx(likelihood(*counts, 0.2) - likelihood(*counts, 0.0), abs=1e-6)


@given(leads=LEADS)
@settings(max_examples=50)
def test_who_leads_more_is_likelier_better(leads: list[tuple[int, int]]) -> None:
    """One more table that B wins by all raises the ratio, one that it loses by all lowers it."""
    lost, now, won = (OPEN.state([*leads, *more]).llr for more in ([(-4, 4)], [], [(4, 4)]))

    assert lost < now < won


@given(leads=LEADS.filter(bool))
@settings(max_examples=50)
def test_the_mean_is_told_with_an_interval(leads: list[tuple[int, int]]) -> None:
    """Of all tables so far, however much was possible at each."""
    verdict = OPEN.state(leads)

    assert verdict.decision == "running"
    assert verdict.tables == len(leads)
    assert verdict.mean == pytest.approx(sum(lead for lead, _ in leads) / (4 * len(leads)))
    assert (verdict.interval is None) == (len(leads) == 1)
    if verdict.interval and verdict.mean is not None:
        assert -1 <= verdict.interval.low <= verdict.mean + 1e-9
        assert verdict.mean - 1e-9 <= verdict.interval.high <= 1


def test_thousands_of_tables_of_one_kind_are_no_trouble() -> None:
    """Where only the thousandths of a table speak for the other side."""
    endless = SequentialTest(delta=0.001, alpha=1e-12, beta=1e-12, most_tables=3000)

    assert endless.state(repeat((4, 4))).llr == pytest.approx(3000 * log(1.001), rel=1e-3)
    assert endless.state(repeat((-4, 4))).llr == pytest.approx(3000 * log(0.999), rel=1e-3)
    assert endless.state(repeat((0, 4))).llr < 0


def test_before_the_first_table_nothing_is_known() -> None:
    """The bounds are Wald's."""
    assert SequentialTest().state([]) == Verdict("running", 0.0, -log(19), log(19), 0, None, None)


@pytest.mark.parametrize(("lead", "decision"), [(4, "better"), (-4, "not better")])
def test_it_stops_at_the_first_table_that_decides(lead: int, decision: str) -> None:
    """Whatever would have come later is not looked at."""
    tables = chain(repeat((lead, 4), 50), iter(lambda: pytest.fail("asked for more tables than it needs"), None))

    verdict = QUICK.state(tables)
    before = QUICK.state([(lead, 4)] * (verdict.tables - 1))

    assert verdict.decision == decision
    assert before.decision == "running"
    assert FEWEST <= verdict.tables < 30


@given(leads=LEADS)
@settings(max_examples=30)
def test_the_walk_is_the_ratio_after_every_table(leads: list[tuple[int, int]]) -> None:
    """Up to the table at which the test ends."""
    for test in (OPEN, SequentialTest(delta=0.5, most_tables=30)):
        walk = test.walk(leads)

        assert walk == [test.state(leads[: tables + 1]).llr for tables in range(len(walk))]
        assert len(walk) == test.state(leads).tables


def test_nothing_is_decided_on_a_few_tables() -> None:
    """Even where the bounds are passed."""
    sure = SequentialTest(delta=0.9)

    assert sure.state([(4, 4)] * (FEWEST - 1)).llr > log(19)
    assert sure.state([(4, 4)] * (FEWEST - 1)).decision == "running"
    assert sure.state([(4, 4)] * FEWEST).decision == "better"


def test_after_the_most_tables_it_ends_without_an_answer() -> None:
    """Nor does it take in more."""
    verdict = SequentialTest(delta=0.2, most_tables=20).state([(1, 10)] * 50)

    assert (verdict.decision, verdict.tables) == ("undecided", 20)


def leads(rng: Random, mean: float) -> Iterator[tuple[int, int]]:
    """The tables of a bot with this lead: skewed, in sixths of the most possible."""
    draw: Callable[[], int] = lambda: min(6, max(-3, round(6 * mean + rng.gauss(0, 1.5))))  # noqa: E731
    return ((draw(), 6) for _ in repeat(None))


@pytest.mark.parametrize(("mean", "wrong"), [(0.0, "better"), (0.2, "not better"), (-0.2, "better")])
def test_it_errs_as_seldom_as_it_was_asked_to(mean: float, wrong: str) -> None:
    """At most 5 % of 250 tests, and what chance adds to it; fewer where the truth is further off."""
    rng = Random(3)
    ends = [QUICK.state(leads(rng, mean)).decision for _ in range(250)]

    assert ends.count(wrong) / 250 <= (0.09 if mean >= 0 else 0.005)  # type: ignore[arg-type]
    assert "running" not in ends
    assert "undecided" not in ends
