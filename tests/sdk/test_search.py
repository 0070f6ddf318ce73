"""Estimates of actions by random playouts."""

from random import Random
from typing import Any

import pytest

from arena.games.base import State, View
from arena.games.errors import IllegalAction
from arena.games.registry import rules_of
from arena.sdk import Search, Worlds
from arena.sdk.search import HEAVIEST, Habits, default_weights
from tests.positions import positions


def begun(variant: str, moves: int) -> State:
    """Return a position after a number of random moves."""
    rules, rng = rules_of(variant), Random(1)
    state = rules.start()
    if state.seat < 0:
        state.deal(rules.draw_board(0, rng))
    for _ in range(moves):
        state.apply(rng.choice(state.legal(state.seat)))
    return state


def seen(state: State) -> View:
    """Return the view of the last of the seats that have a choice to make."""
    return state.game.view_type(state.view(state.actors()[-1]))


@pytest.mark.parametrize(
    ("variant", "moves"),
    [
        ("suitability-4", 0),
        ("suitability-4", 10),
        ("suit-yourself", 0),
        ("suit-yourself", 30),
        ("suits-barnhart-4", 4),
        ("suits-barnhart-solitaire", 0),
        ("suits-steere-3", 40),
        ("separate-suits-4", 0),
    ],
)
def test_every_phase_of_every_game_has_estimates(variant: str, moves: int) -> None:
    """Each legal action is estimated, in order, and the same generator gives the same estimates."""
    view = seen(begun(variant, moves))
    one, two = (Search(rules_of(variant), Random(5)).estimates(view, worlds=3, repeats=2) for _ in range(2))

    assert [estimate.action for estimate in one] == view.legal
    assert {estimate.playouts for estimate in one} == {6}
    assert one == two


def test_estimates_tell_a_good_card_from_a_bad_one() -> None:
    """With one trick to go, the points are exact and their error is zero."""
    state = begun("suits-steere-3", 42)
    [*estimates] = Search(state.game, Random(1)).compare(state.seat, [state, state], [*seen(state).legal])

    for estimate in estimates:
        total = sum(estimate.means)
        assert total == pytest.approx(2)
        assert estimate.error <= 0.5


def test_worlds_may_be_the_authors() -> None:
    """Given states stay as they are, and may differ in what every seat sees."""
    states = [begun("suitability-4", moves) for moves in (8, 13, 8)]
    views = [state.view(state.seat) for state in states]
    seat = states[0].seat
    common = sorted({*views[0]["legal"]} & {*views[1]["legal"]})
    estimates = Search(states[0].game, Random(1)).compare(seat, states, common[:1], repeats=4)

    assert [state.view(state.seat) for state in states] == views
    assert [estimate.playouts for estimate in estimates] == [12]


def test_impossible_comparisons_are_refused() -> None:
    """A seat that has no choice, an illegal action and no playouts are errors, not estimates."""
    for state in (begun("suitability-4", 8), begun("suitability-4", 0)):
        search, view = Search(state.game, Random(1)), seen(state)
        illegal = next(token for token in state.game.tokens if token not in view.legal)
        for worlds in (search.worlds(view, 2), [state]):
            with pytest.raises(ValueError, match=f"seat is {state.seat ^ 1}: in these states it must be {state.seat}"):
                search.compare(state.seat ^ 1, worlds, view.legal)
            with pytest.raises(ValueError, match=r"is not allowed; legal: |may play "):
                search.compare(state.seat, worlds, [illegal])
            with pytest.raises(ValueError, match="repeats is 0: it must be a whole number from 1"):
                search.compare(state.seat, worlds, view.legal, repeats=0)
        with pytest.raises(ValueError, match="number is 0: it must be a whole number from 1"):
            search.worlds(view, 0)
        with pytest.raises(ValueError, match="the number of states is 0"):
            search.compare(state.seat, [], view.legal)


def test_kernel_draws_the_worlds_of_a_view() -> None:
    """Worlds of a position in play are drawn at once and compared like states; before play they are states."""
    state = begun("suitability-4", 10)
    search = Search(state.game, Random(1))
    worlds = search.worlds(seen(state), 5)

    assert isinstance(worlds, Worlds)
    assert len({world.hands for world in worlds.worlds}) > 1
    assert {world.hands[state.seat] for world in worlds.worlds} == {worlds.worlds[0].hands[state.seat]}
    assert len(worlds.worlds[1:3]) == 2
    actions = seen(state).legal[:1]
    assert [each.playouts for each in search.compare(state.seat, worlds, actions, repeats=3)] == [15]
    before = search.worlds(seen(begun("suitability-4", 0)), 3)
    assert isinstance(before, list)
    assert len(before) == 3


def lowest(state: State) -> int:
    """Return the first legal action."""
    return state.legal(state.seat)[0]


def two_cards_each(variant: str) -> tuple[State, set[int]]:
    """Return a position in which each seat has two cards, and the lower ones, none of which is another's higher one."""
    rules = rules_of(variant)
    for state in (each for seed in range(99) for each in positions(rules, seed)):
        held = [state.legal(seat) for seat in range(rules.players)]
        if {*map(len, held)} == {2} and not {low for low, _ in held} & {high for _, high in held}:
            return state.clone(), {low for low, _ in held}
    raise AssertionError(variant)


@pytest.mark.parametrize("variant", ["suits-steere-3", "separate-suits-2"])
def test_weights_and_functions_choose_alike(variant: str) -> None:
    """Weights that leave one choice do the same as a function that makes it, in the kernel and by the rules."""
    state, low = two_cards_each(variant)
    seat = state.actors()[-1]
    weights = {token: int(state.game.action(token) in low) for token in state.game.tokens}
    actions = [*map(state.game.token, state.legal(seat))]
    one, two = (
        Search(state.game, Random(1), policy=policy).compare(seat, [state], actions, 3) for policy in (lowest, weights)
    )

    assert one == two


@pytest.mark.parametrize("weight", [-1, HEAVIEST + 1, 0.5, True])
def test_weights_of_a_policy_are_checked(weight: Any) -> None:
    """Weights are whole numbers of sixteen bits, of actions that the game has."""
    with pytest.raises(ValueError, match=f"the weight of 2C is {weight}: it must be a whole number from 0 to 65535"):
        Search(rules_of("suitability-4"), Random(1), policy={"2C": weight})
    with pytest.raises(IllegalAction):
        Search(rules_of("suitability-4"), Random(1), policy={"1C": 1})


@pytest.mark.parametrize("eager", [-1, HEAVIEST // 3 + 1, 0.5])
def test_eagerness_is_checked(eager: Any) -> None:
    """Eagerness is a whole number that leaves all weights within sixteen bits."""
    with pytest.raises(
        ValueError, match=f"eager is {eager}: with these weights it must be a whole number from 0 to 21845"
    ):
        Search(rules_of("suitability-4"), Random(1), policy={"2C": 3}, eager=eager)


def test_habits_are_those_of_each_seat_and_kind_of_card() -> None:
    """With habits that leave one card of two, they decide; a seat without habits chooses either card."""
    state, low = two_cards_each("suits-steere-3")
    [action, *_] = map(state.game.token, state.legal(state.seat))
    lowest = {token: int(state.game.action(token) in low) for token in state.game.tokens}
    seen: list[View] = []

    def habits(view: View) -> list[Habits]:
        seen.append(view)
        return [Habits(lowest, lowest, lowest)] * 3

    search = Search(state.game, Random(1), habits=habits)
    alike = Search(state.game, Random(1), policy=lowest)
    free = Search(state.game, Random(1), habits=lambda view: [Habits()] * 3)

    assert search.compare(state.seat, [state, state], [action]) == alike.compare(state.seat, [state, state], [action])
    assert free.compare(state.seat, [state], [action]) != alike.compare(state.seat, [state], [action])
    assert [view.seat for view in seen] == [state.seat]
    assert type(seen[0]) is state.game.view_type


@pytest.mark.parametrize(
    ("habits", "refusal"),
    [
        ([Habits()] * 2, r"weights is .*: it must be a sequence of length 9"),
        ([Habits({"2C": -1})] * 3, r"weights\[0\]\[\d+\] is -1: it must be a whole number from 0 to 65535"),
    ],
)
def test_impossible_habits_are_refused(habits: list[Habits], refusal: str) -> None:
    """Each seat has habits, and each weight is a whole number of sixteen bits."""
    state, _ = two_cards_each("suits-steere-3")
    search = Search(state.game, Random(1), habits=lambda view: habits)

    with pytest.raises(ValueError, match=refusal):
        search.compare(state.seat, [state], [state.game.token(state.legal(state.seat)[0])])


def after(state: State, card: int) -> State:
    """Return the position after a card."""
    state = state.clone()
    state.apply(card)
    return state


def test_eager_seats_take_tricks_that_they_can() -> None:
    """With two cards in each hand and a trick to take for the last seat, nothing is left to chance."""
    search = Search(rules_of("suits-steere-3"), Random(1), eager=HEAVIEST)
    found = 0
    for state in (each.clone() for seed in range(9) for each in positions(search.game, seed)):
        action, *others = state.legal(state.seat)
        last = after(state, action)
        taken = [each for each in (after(last, card) for card in last.legal(last.seat)) if each.seat == last.seat]
        if len(others) == len(state.view(state.seat)["trick"]) == len(taken) == 1:
            found += 1
            ended = taken[0]
            while ended.finished == state.finished:
                ended.apply(ended.legal(ended.seat)[0])
            points = [now - before for now, before in zip(ended.scores(), state.scores(), strict=True)]
            [estimate] = search.compare(state.seat, [state], [state.game.token(action)], repeats=20)
            assert estimate.means == tuple(points)

    assert found


def test_weights_are_the_lead_unless_given() -> None:
    """A side's own seats count for it, the others share the weight against it; an author may weigh otherwise."""
    assert default_weights(rules_of("suitability-4"), 1) == pytest.approx([-1 / 3, 1, -1 / 3, -1 / 3])
    assert default_weights(rules_of("suitability-4-partners"), 1) == [-1, 1, -1, 1]
    assert default_weights(rules_of("suits-barnhart-solitaire"), 0) == [1]

    state = begun("suits-steere-3", 30)
    own = [float(seat == state.seat) for seat in range(3)]
    for estimate in Search(state.game, Random(1), own).estimates(seen(state), 4):
        assert estimate.points == pytest.approx(estimate.means[state.seat])
