"""`make bench ARGS=habits`: habits of seats in playouts, learned from search."""

from random import Random

import pytest

from benchmarks import habits
from benchmarks.habits import Decision, decisions_of, digits_of, learned, likelihood
from bots.search_bot import HABITS


def test_fit_finds_the_chances_that_decisions_came_from() -> None:
    """A card that is chosen three times as often as another one has three times its weight, whatever else is held."""
    rng, weights = Random(1), [1, 3, 9]
    hands = [rng.sample(range(3), rng.choice([2, 3])) for _ in range(4000)]
    decisions = [
        Decision(tuple(hand), rng.choices(range(len(hand)), [weights[kind] for kind in hand])[0]) for hand in hands
    ]

    found = learned(decisions, 3)

    assert found[1] / found[0] == pytest.approx(3, rel=0.15)
    assert found[2] / found[1] == pytest.approx(3, rel=0.15)
    assert likelihood(found, decisions) > likelihood([1.0] * 3, decisions)


def test_digits_are_halves_of_powers_of_two() -> None:
    """The likeliest card has the greatest digit, one half as likely two less, and one that is hardly chosen 0."""
    assert digits_of([1.0, 2.0, 4.0, 1e-9]) == "rtv0"


def test_decisions_are_those_of_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every decision has several cards, of different kinds in each row, and the same match has the same ones."""
    monkeypatch.setattr(habits, "WORLDS", {True: 2, False: 1})
    monkeypatch.setattr(habits, "PLAYOUTS", 4)

    found = [*decisions_of("suitability-2", 0)]

    assert len(found) > 50
    assert all(len(one.kinds) > 1 and 0 <= one.chosen < len(one.kinds) for one in found)
    assert max(kind for one in found for kind in one.kinds) < 4 * 3 * 53
    assert found == [*decisions_of("suitability-2", 0)]


def test_tables_have_a_row_of_digits_for_each_claim_and_kind_of_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table has the form of what the house bot holds."""
    monkeypatch.setattr(habits, "WORLDS", {True: 2, False: 1})
    monkeypatch.setattr(habits, "PLAYOUTS", 4)
    monkeypatch.setattr(habits, "MATCHES", {"suitability-2": 1})

    [table] = habits.run(1)

    assert [claim for claim, _ in table.rows] == [claim for claim in map(str, HABITS) for _ in range(3)]
    assert {len(digits) for _, digits in table.rows} == {53}
    assert "v" in "".join(digits for _, digits in table.rows)
