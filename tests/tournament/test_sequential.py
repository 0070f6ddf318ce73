"""Sequential test of whether one bot is better than another."""

from collections.abc import Callable, Iterator
from itertools import chain, pairwise, repeat
from math import exp, log
from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.sequential import RISK, Answer, Evidence, SequentialTest

LEADS = st.lists(st.integers(-4, 4).map(lambda lead: (lead, 4)), max_size=40)
QUICK = SequentialTest(delta=0.2)
OPEN = SequentialTest(delta=0.2, alpha=1e-12, beta=1e-12)
"""Test that does not decide on a few tables."""


def evidence(test: SequentialTest, leads: list[tuple[int, int]]) -> list[Evidence]:
    """Return the evidence after each table."""
    return [step.evidence for step in test.steps(leads)]


def after(leads: list[tuple[int, int]]) -> Evidence:
    """Return the evidence after all tables."""
    return evidence(OPEN, leads)[-1] if leads else Evidence(0.0, 0.0)


def sign(number: float) -> int:
    """Return 1, 0 or -1, ignoring rounding errors."""
    return 0 if abs(number) < 1e-12 else 1 if number > 0 else -1


@given(leads=LEADS, swing=st.integers(1, 20))
@settings(max_examples=50)
def test_false_bets_gain_nothing_on_average(leads: list[tuple[int, int]], swing: int) -> None:
    """This holds after any leads, and bounds the fraction of wrong answers for every distribution."""
    now = after(leads)
    at_nothing = [after([*leads, (lead, 25)]) for lead in (-swing, swing)]
    at_delta = [after([*leads, (5 + lead, 25)]) for lead in (-swing, swing)]

    assert sum(exp(end.better) for end in at_nothing) / 2 == pytest.approx(exp(now.better))
    assert sum(exp(end.not_better) for end in at_delta) / 2 == pytest.approx(exp(now.not_better))


@given(leads=LEADS, lead=st.integers(-20, 20))
@settings(max_examples=50)
def test_every_table_moves_the_evidence_in_its_direction(leads: list[tuple[int, int]], lead: int) -> None:
    """A lost table is never evidence for B, and a lead above `delta` never evidence against it."""
    now, then = after(leads), after([*leads, (lead, 20)])

    assert sign(then.better - now.better) == sign(lead)
    assert sign(then.not_better - now.not_better) == sign(4 - lead)


def test_lost_tables_lower_the_evidence_of_a_clear_lead() -> None:
    """The evidence is not a line that rises with any result."""
    leads = [(-6 if table % 5 == 0 else 10, 20) for table in range(1, 19)]
    walk = SequentialTest(delta=0.02).walk(leads)

    assert len(walk) == len(leads)
    assert [now < before for before, now in pairwise(walk)] == [lead < 0 for lead, _ in leads[1:]]


@given(leads=LEADS.filter(bool))
@settings(max_examples=50)
def test_mean_has_an_interval(leads: list[tuple[int, int]]) -> None:
    """Mean and interval cover all tables so far."""
    answer = OPEN.state(leads)

    assert answer.decision == "running"
    assert answer.tables == len(leads)
    assert answer.mean == pytest.approx(sum(lead for lead, _ in leads) / (4 * len(leads)))
    assert (answer.interval is None) == (len(leads) == 1)
    if answer.interval and answer.mean is not None:
        assert -1 <= answer.interval.low <= answer.mean + 1e-9
        assert answer.mean - 1e-9 <= answer.interval.high <= 1


def test_evidence_of_identical_tables_stays_finite() -> None:
    """After a thousand tables its size and sign are right."""
    endless = SequentialTest(delta=0.001, alpha=1e-300, beta=1e-300, most_tables=3000)

    assert endless.state(repeat((4, 4), 1000)).llr == pytest.approx(1000 * log(1.999), rel=0.1)
    assert endless.state(repeat((-4, 4), 1000)).llr == pytest.approx(-1000 * log(1.999), rel=0.1)
    assert endless.state(repeat((0, 4))).llr < 0


def test_no_tables_give_no_evidence() -> None:
    """The bounds follow from the probabilities of wrong answers."""
    assert SequentialTest().state([]) == Answer("running", 0.0, log(RISK), -log(RISK), 0, None, None)


@pytest.mark.parametrize(("lead", "decision"), [(4, "better"), (-4, "not better")])
def test_stops_at_the_first_table_that_decides(lead: int, decision: str) -> None:
    """Later tables are not consumed."""
    tables = chain(repeat((lead, 4), 50), iter(lambda: pytest.fail("consumed more tables than necessary"), None))

    answer = QUICK.state(tables)
    before = QUICK.state([(lead, 4)] * (answer.tables - 1))

    assert answer.decision == decision
    assert before.decision == "running"
    assert abs(before.llr) < answer.upper <= abs(answer.llr)
    assert 4 <= answer.tables < 10


@given(leads=LEADS)
@settings(max_examples=30)
def test_walk_is_the_evidence_after_every_table(leads: list[tuple[int, int]]) -> None:
    """The walk ends with the test."""
    for test in (OPEN, SequentialTest(delta=0.5, most_tables=30)):
        walk = test.walk(leads)

        assert walk == [test.state(leads[: tables + 1]).llr for tables in range(len(walk))]
        assert len(walk) == test.state(leads).tables


@pytest.mark.parametrize(("lead", "decision", "sign"), [(8, "better", 1), (2, "not better", -1)])
def test_lead_between_the_hypotheses_counts_as_the_nearer_one(lead: int, decision: str, sign: int) -> None:
    """Leads that hardly vary are evidence against both hypotheses."""
    answer = SequentialTest(delta=0.1).state(repeat((lead, 100), 200))

    assert answer.decision == decision
    assert not answer.lower < answer.llr < answer.upper
    assert answer.llr * sign > 0


def test_each_answer_has_its_own_risk() -> None:
    """The stronger evidence does not decide if its bound is out of reach."""
    leads = [(8, 100)] * 200
    careful = SequentialTest(delta=0.1, alpha=1e-300)

    assert SequentialTest(delta=0.1).state(leads).decision == "better"
    assert careful.state(leads).decision == "not better"


def test_bounds_follow_from_their_own_risks() -> None:
    """`alpha` sets the bound for better, and `beta` the bound for not better."""
    test = SequentialTest(delta=0.2, alpha=0.01, beta=0.2)
    answer = test.state([])

    assert (answer.lower, answer.upper) == pytest.approx((log(0.2), -log(0.01)))
    assert test.state(repeat((4, 4))).llr >= -log(0.01) > test.state([(4, 4)] * 8).llr > -log(0.2)
    assert log(0.01) < test.state(repeat((-4, 4))).llr <= log(0.2)


def test_ends_without_an_answer_after_the_most_tables() -> None:
    """Further tables are ignored."""
    answer = SequentialTest(delta=0.2, most_tables=20).state([(1, 10)] * 50)

    assert (answer.decision, answer.tables) == ("undecided", 20)


def test_evidence_is_stable() -> None:
    """Stakes decide when a test ends, so stored answers can be reproduced only if stakes never change."""
    series = [(3, 10), (-1, 10), (0, 4), (6, 8), (-9, 10), (1, 5), (2, 10), (10, 10), (-2, 8), (4, 10)]
    steps = list(SequentialTest(delta=0.1, alpha=1e-9, beta=1e-9).steps(series))
    better = [
        0.041082282, -0.003078707, -0.003078707, 0.503456211, -0.332634358,
        -0.271600073, -0.201941490, 0.135302518, 0.046451908, 0.178304455,
    ]  # fmt: skip
    not_better = [
        -0.029443345, 0.074923793, 0.146202767, -0.860056703, -0.373610322,
        -0.408093052, -0.447215355, -0.934733473, -0.828376898, -0.935150347,
    ]  # fmt: skip

    assert [step.evidence.better for step in steps] == pytest.approx(better, abs=1e-9)
    assert [step.evidence.not_better for step in steps] == pytest.approx(not_better, abs=1e-9)
    assert SequentialTest() == SequentialTest(0.05, 0.045, 0.045, 2_000, 0.0)


def leads(rng: Random, mean: float) -> Iterator[tuple[int, int]]:
    """Yield tables of a bot with this mean lead: skewed, in sixths of the most possible."""
    draw: Callable[[], int] = lambda: min(6, max(-3, round(6 * mean + rng.gauss(0, 1.5))))  # noqa: E731
    return ((draw(), 6) for _ in repeat(None))


@pytest.mark.parametrize(("mean", "wrong"), [(0.0, "better"), (0.2, "not better"), (-0.2, "better")])
def test_error_rates_are_bounded(mean: float, wrong: str) -> None:
    """At most 5 % of 250 tests err, plus sampling error; fewer if the truth is further off."""
    rng = Random(3)
    ends = [QUICK.state(leads(rng, mean)).decision for _ in range(250)]

    assert ends.count(wrong) / 250 <= (0.09 if mean >= 0 else 0.005)  # type: ignore[arg-type]
    assert "running" not in ends
    assert "undecided" not in ends


@pytest.mark.parametrize("delta", [0.02, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("lead", [0.4, -0.4])
def test_clear_lead_is_detected_early(delta: float, lead: float) -> None:
    """With a lead of 0.4 and a standard deviation of 0.28, half of the tests take at most 25 tables."""
    rng = Random(4)
    tables = ((round(100 * max(-1.0, min(1.0, rng.gauss(lead, 0.28)))), 100) for _ in repeat(None))
    ends = [SequentialTest(delta).state(tables) for _ in range(50)]

    assert median(end.tables for end in ends) <= 25
    assert {end.decision for end in ends} == {"better" if lead > 0 else "not better"}


@pytest.mark.parametrize(("delta", "fewest"), [(0.01, 32), (0.05, 24), (0.3, 18)])
def test_fewest_tables_decide_a_clear_lead(delta: float, fewest: int) -> None:
    """With one table less, a lead of a quarter of the points has no answer."""
    leads = [(0, 2), (1, 2)] * fewest

    assert SequentialTest(delta=delta).fewest_tables == fewest
    assert SequentialTest(delta=delta, most_tables=fewest).state(leads).decision == "better"
    assert SequentialTest(delta=delta, most_tables=fewest - 1).state(leads).decision == "undecided"
