"""`make bench ARGS=aivat`: luck taken out of a person's points."""

from math import fsum
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.games.base import State
from arena.games.registry import rules_of
from arena.sdk import Search
from benchmarks import aivat
from benchmarks.bots import Everywhere

RULES = rules_of("suits-steere-3")
GREEDY, BOLD = (Everywhere(name, RULES) for name in ("greedy", "bold"))
SEATS = (BOLD, BOLD, BOLD)


def ending(left: int) -> State:
    """Return a position in which it is the turn of seat 0 with this number of cards."""
    state = RULES.start()
    state.deal(RULES.draw_board(0, Random(1)))
    while len(state.view(0)["hand"]) > left or state.seat != 0:
        state.apply(BOLD.choose(state))
    return state


def turns_of(start: State) -> list[tuple[Any, int]]:
    """Return the turns of a greedy bot in seat 1."""
    state, turns = start.clone(), list[tuple[Any, int]]()
    while state.seat >= 0 and state.finished == start.finished:
        action = (GREEDY if state.seat == 1 else BOLD).choose(state)
        if state.seat == 1:
            turns.append((state.view(1), action))
        state.apply(action)
    return turns


def test_luck_of_hidden_cards_is_zero_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all worlds that a seat considers possible, exactly, at every turn."""
    monkeypatch.setattr(aivat, "WORLDS", 70)
    start = ending(4)
    worlds = {str(world.key()): world for world in (start.sample(1, Random(seed)) for seed in range(400))}

    luck = [aivat.outcomes(SEATS, 1, turns_of(world), world, worlds.values()) for world in worlds.values()]

    assert len(worlds) == aivat.WORLDS
    assert any(map(any, luck))
    assert [fsum(turn) for turn in zip(*luck, strict=True)] == pytest.approx([0.0] * aivat.TURNS)


def test_luck_of_known_choices_is_zero_on_average() -> None:
    """Over all actions of a seat that chooses each equally often; the person's own choices have none."""
    state = ending(6)

    def luck(own: int) -> list[float]:
        search = [Search(RULES, Random(1), [0.0, 1.0, 0.0]) for _ in state.legal(0)]
        steps = [[(state, action)] for action in state.legal(0)]
        return [*map(aivat.choices, search, steps, [own] * len(steps))]

    assert len({*luck(1)}) > 1
    assert fsum(luck(1)) == pytest.approx(0)
    assert {*luck(0)} == {0}


def test_luck_of_boards_is_zero_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the boards of a set, if each in turn is the real one and the others are the fresh ones."""
    worth, state = {"a": 1.0, "b": 5.0, "c": 0.0, "d": 2.5, "e": 7.0}, RULES.start()
    monkeypatch.setattr(aivat, "_worth", lambda _search, _state, board: worth[board])

    def luck(board: str) -> float:
        fresh = (other for other in worth if other != board)
        monkeypatch.setattr(type(RULES), "draw_board", lambda *_: next(fresh))
        return aivat.boards(Search(RULES, Random(1)), [(state, board)])

    assert luck("e") == pytest.approx(7 - 8.5 / 4)
    assert fsum(map(luck, worth)) == pytest.approx(0)


def test_deals_have_no_say_in_their_own_correction() -> None:
    """Coefficients come from other deals, so that the fit biases nothing."""
    rng = np.random.default_rng(1)
    terms = rng.normal(size=(40, 2))
    points = terms @ [2.0, -1.0] + rng.normal(size=40)
    other = points + np.eye(40)[7] * 100

    found = aivat.corrected(points, terms)

    assert found.std() < points.std()
    assert aivat.corrected(other, terms)[7] == pytest.approx(found[7] + 100)


@pytest.mark.parametrize("variant", ["suits-steere-3", "suitability-2"])
def test_variants_have_a_row_for_each_strength(monkeypatch: pytest.MonkeyPatch, variant: str) -> None:
    """Opponents without chance, whose hidden cards are drawn again, and random opponents."""
    for name, value in {"DEALS": 12, "TRIES": 3, "REPEATS": 2, "RESAMPLES": 20}.items():
        monkeypatch.setattr(aivat, name, value)
    monkeypatch.setattr(aivat, "house_bots", lambda _: ["greedy", "bold", "random"])
    (table,) = aivat.run(1, [variant, "separate-suits-2"])

    assert [row[:2] for row in table.rows] == [(variant, "medium"), (variant, "easy")]
    assert all(len(row) == len(table.head) for row in table.rows)
