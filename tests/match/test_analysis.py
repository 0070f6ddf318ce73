"""Analyses assess every decision, are equal for equal seeds, and find no loss among equal actions."""

import json
from itertools import count
from random import Random
from statistics import fmean
from typing import Any

import pytest

from arena.games.registry import VARIANTS, rules_of
from arena.match import analysis, estimate
from arena.match.analysis import (
    DISCARDING,
    FOLLOWING,
    LEADING,
    LIMITS,
    MARKS,
    Assessment,
    analyse,
    by_phase,
    deals_of,
    mark,
    part_of,
    phase_of,
    variant_of,
)
from arena.match.estimate import Estimate
from arena.match.views import decisions
from tests.golden import path
from tests.match.players import failing, last
from tests.match.test_views import first, match

MOVES = 60
"""Number of moves of each record that are analysed."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make estimates from few games."""
    for name, value in {"ROUNDS": 4, "WORLDS": 2, "SLOW_WORLDS": 1, "REPEATS": 1}.items():
        monkeypatch.setattr(estimate, name, value)


def golden(variant: str) -> dict[str, Any]:
    """Return the record of a match of random moves."""
    record: dict[str, Any] = json.loads(path(variant).read_bytes())
    return record


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_decision_is_assessed(variant: str) -> None:
    """With what its view tells: all its legal actions, and the one that was chosen; the phases of a match sum up."""
    record = golden(variant)
    record["moves"] = record["moves"][:MOVES]
    made = [(move, one) for move, one in enumerate(decisions(record)) if one]

    found = list(analyse(record))

    assert [(one.move, one.seat, len(one.estimates)) for one in found] == [
        (move, one.seat, one.legal) for move, one in made
    ]
    assert all(one.action in [each.token for each in one.estimates] for one in found)
    phases, whole = by_phase(found), part_of(found)
    assert sum(part.decisions for part in phases.values()) == whole.decisions == len(found)
    assert sum(part.lost for part in phases.values()) == pytest.approx(whole.lost)


def test_deals_are_counted_from_zero() -> None:
    """As many as the match has."""
    record = golden("suits-steere-3")

    assert sorted({one.deal for one in analyse(record, seats=[0])}) == list(range(deals_of(record)))


def test_some_seats_are_assessed_as_in_the_whole() -> None:
    """A view has the same estimates in every match in which it occurs, and others with another seed."""
    record, _ = match(last, first)
    both, _ = match(last, last)
    whole = list(analyse(record))

    assert list(analyse(record, seats=[1])) == [one for one in whole if one.seat == 1]
    assert next(analyse(both)).estimates == whole[0].estimates
    assert list(analyse(record, seed=1)) != whole


def test_moves_of_the_arena_are_left_out() -> None:
    """A bot that failed has not decided them."""
    record, _ = match(failing("crash", 3), last)
    failed = record["faults"][0]["move"]

    assert [one for one in analyse(record) if one.seat == 0 and one.move >= failed] == []
    assert [one for one in analyse(record) if one.seat == 1 and one.move >= failed]


def test_equal_actions_lose_nothing_on_average() -> None:
    """The one that looks best by chance is not taken for better."""
    rng, lost = Random(1), list[float]()
    for _ in range(2000):
        rounds = [[rng.gauss(0, 1) for _ in range(5)] for _ in range(16)]
        lost.append(analysis.lost(rounds, 0)[0])

    assert abs(fmean(lost)) < 0.03


def test_loss_and_its_margin_are_those_of_the_better_action() -> None:
    """Luck that both share does not count."""
    rng, covered = Random(2), 0
    for _ in range(500):
        rounds = [[luck + 3 + rng.gauss(0, 1), luck] for luck in (rng.gauss(0, 9) for _ in range(16))]
        lost, margin = analysis.lost(rounds, 1)
        covered += abs(lost - 3) <= margin
        assert analysis.lost(rounds, 0)[0] == 0

    assert 0.9 < covered / 500 < 0.99


@pytest.mark.parametrize(
    ("lost", "margin", "expected"), [(0.0, 0.1, "good"), (1.9, 0.1, "good"), (9.0, 9.5, "good"), (99.0, 1.0, "blunder")]
)
def test_marks_need_certainty(lost: float, margin: float, expected: str) -> None:
    """A decision is good unless it certainly lost as much as a mark asks for."""
    estimates = [Estimate("7h", 1.0, 1.0, best=False), Estimate("8h", 2.0, 1.0, best=True)]
    one = Assessment(0, 0, 0, "following", "7h", estimates, lost, margin)

    assert mark(one, "suitability-4") == expected
    assert mark(one._replace(action="8h"), "suitability-4") == "best"


def test_every_variant_has_ascending_limits() -> None:
    """One for each mark below good."""
    assert LIMITS.keys() == VARIANTS.keys()
    for limits in LIMITS.values():
        assert len(limits) == len(MARKS) - 2
        assert 0 < limits[0] < limits[1] < limits[2]


@pytest.mark.parametrize("variant", VARIANTS)
def test_variant_of_a_record_is_found(variant: str) -> None:
    """Options say which variant it is."""
    assert variant_of(golden(variant)) == variant


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"players": 5, "deals": 1, "points": None, "partnership": False}, "suitability-5"),
        ({"players": 4, "deals": 1, "points": None, "partnership": True}, "suitability-4-partners"),
        ({"players": 4, "deals": None, "points": 100, "partnership": False}, "suitability-4-250"),
    ],
)
def test_other_options_are_those_of_the_most_similar_variant(options: dict[str, Any], expected: str) -> None:
    """The number of players comes first."""
    assert variant_of({"game": "suitability", "options": options}) == expected


def test_cards_that_cannot_win_are_discarded() -> None:
    """If none of the legal cards can win the trick; one that could makes it a card that follows."""
    rules = rules_of("suits-steere-3")
    state = rules.start()
    state.deal(rules.draw_board(0, Random(1)))
    view = state.view(state.seat)
    last = {"trick": ["3C", "7C"], "tricks": []}

    assert phase_of(rules, view) == LEADING
    assert phase_of(rules, {**view, **last, "legal": ["2C", "7O"]}) == DISCARDING
    assert phase_of(rules, {**view, **last, "legal": ["8C", "AC"]}) == FOLLOWING


def test_wide_intervals_get_more_rounds() -> None:
    """As many as the spread of the first ones asks for, up to the maximum; none if the loss is clear."""
    rng = Random(3)

    def number(spread: float, most: int) -> int:
        drawn = ([rng.gauss(0, spread), 5.0] for _ in count())
        return len(analysis._rounds(drawn, 0, most, aim=0.5))

    assert number(0.1, 100) == number(9.0, 0) == estimate.ROUNDS
    assert number(9.0, 100) == 100
    assert estimate.ROUNDS < number(0.8, 1000) < 1000


def test_more_rounds_narrow_the_intervals_that_are_wide() -> None:
    """More rounds begin with the usual ones, so what needs no more stays as it is."""
    record, _ = match(last, first)
    record["moves"] = record["moves"][:25]
    usual, deep = list(analyse(record)), list(analyse(record, rounds=60))
    clear = [one for one in usual if one.margin == 0]

    assert clear
    assert [one for one in deep if one in usual] == clear
    assert part_of(deep).margin < part_of(usual).margin / 2
    assert deep == list(analyse(record, rounds=60))
