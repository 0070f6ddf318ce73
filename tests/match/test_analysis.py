"""Analyses assess every decision, are equal for equal seeds, and find no loss among equal actions."""

import json
from random import Random
from statistics import fmean
from typing import Any

import pytest

from arena.games.registry import GAMES, VARIANTS
from arena.match import analysis, estimate
from arena.match.analysis import LIMITS, MARKS, Assessment, analyse, by_phase, deals_of, mark, part_of
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
        lost.append(analysis._lost(rounds, 0)[0])

    assert abs(fmean(lost)) < 0.03


def test_loss_and_its_margin_are_those_of_the_better_action() -> None:
    """Luck that both share does not count."""
    rng, covered = Random(2), 0
    for _ in range(500):
        rounds = [[luck + 3 + rng.gauss(0, 1), luck] for luck in (rng.gauss(0, 9) for _ in range(16))]
        lost, margin = analysis._lost(rounds, 1)
        covered += abs(lost - 3) <= margin
        assert analysis._lost(rounds, 0)[0] == 0

    assert 0.9 < covered / 500 < 0.99


@pytest.mark.parametrize(
    ("lost", "margin", "expected"), [(0.0, 0.1, "good"), (1.9, 0.1, "good"), (9.0, 9.5, "good"), (99.0, 1.0, "blunder")]
)
def test_marks_need_certainty(lost: float, margin: float, expected: str) -> None:
    """A decision is good unless it certainly lost as much as a mark asks for."""
    estimates = [Estimate("7h", 1.0, 1.0, best=False), Estimate("8h", 2.0, 1.0, best=True)]
    one = Assessment(0, 0, 0, "following", "7h", estimates, lost, margin)

    assert mark(one, "suitability") == expected
    assert mark(one._replace(action="8h"), "suitability") == "best"


def test_every_game_has_ascending_limits() -> None:
    """One for each mark below good."""
    assert LIMITS.keys() == GAMES.keys()
    for limits in LIMITS.values():
        assert len(limits) == len(MARKS) - 2
        assert 0 < limits[0] < limits[1] < limits[2]
