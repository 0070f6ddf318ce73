"""Estimates for a hint: the best action of obvious positions, agreement with exact values, and repeatability."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from statistics import mean

import pytest

from arena.games.base import OVER, State, View
from arena.games.cards import RANKS
from arena.games.events import Json
from arena.games.registry import VARIANTS, game, rules_of, variant
from arena.games.suits_steere.state import SuitsSteereState
from arena.match import estimate
from arena.match.estimate import FEWEST, ROUNDS, Estimate, estimates
from arena.sdk.search import Search


def best_of(found: Sequence[Estimate]) -> str:
    """Return the token of the best action."""
    (best,) = [one.token for one in found if one.best]
    return best


def started(id: str, hands: Sequence[Sequence[str]], *tokens: str) -> State:
    """Return the state of a variant with these hands after these moves."""
    one = variant(id)
    rules = game(one.game, one.options)
    state = rules.start()
    state.deal(rules.board_from_json(0, {"hands": [list(hand) for hand in hands]}))
    for token in tokens:
        state.apply(rules.action(token))
    return state


def suits_by_seat(order: str) -> list[list[str]]:
    """Return hands of one suit each."""
    return [[rank + suit for rank in RANKS] for suit in order]


@pytest.mark.parametrize(
    ("trump", "claim"), [("S", "immunity"), ("H", "poverty")], ids=["all-the-trumps", "nothing-that-wins"]
)
def test_best_privilege_of_a_hand_of_spades(trump: str, claim: str) -> None:
    """A seat with all trumps takes every trick, so it claims immunity; one whose cards cannot win claims poverty."""
    other = next(suit for suit in "HC" if suit != trump)
    state = started("suitability-4", suits_by_seat("SHCD"), f"trump:{trump}", f"penalty:{other}", "reverse:D")

    assert best_of(estimates(state.game, state.view(0), 1)) == claim


def test_sure_trick_is_worth_its_points() -> None:
    """Immunity pays 5 points for each of 13 sure tricks, warranty always 25: both without any doubt."""
    state = started("suitability-4", suits_by_seat("SHCD"), "trump:S", "penalty:H", "reverse:D")

    points = {one.token: one.points for one in estimates(state.game, state.view(0), 1)}

    assert points["immunity"] == 65
    assert points["warranty"] == 25


def late_position(id: str, cards: int, seed: int) -> State:
    """Return a state in which the seat to move leads with this number of cards in hand, after random moves."""
    one = variant(id)
    rules, rng = game(one.game, one.options), Random(seed)
    state = rules.start()
    state.deal(rules.draw_board(0, rng))
    while len((view := state.view(state.seat))["hand"]) > cards or view["trick"]:
        state.apply(rng.choice(state.legal(state.seat)))
    return state


def exact(state: State, view: Mapping[str, Json], token: str) -> float:
    """Return the expected tricks of an action by all deals of the unseen cards, and all lines."""
    assert isinstance(state, SuitsSteereState)
    seat, others = view["seat"], [other for other in range(3) if other != view["seat"]]
    unseen = [card for other in others for card in state.hands[other]]
    values = []
    for cards in combinations(unseen, len(unseen) // 2):
        world = state.clone()
        for other, hand in zip(others, (cards, [card for card in unseen if card not in cards]), strict=True):
            world.hands[other] = sorted(hand)
        world.apply(world.game.action(token))
        values.append(expected(world, seat, state.finished) - state.scores()[seat])
    return mean(values)


def expected(state: State, seat: int, finished: int) -> float:
    """Return the mean score of a seat over all lines of random play to the end of the hand."""
    if state.finished > finished:
        return state.scores()[seat]
    values = []
    for action in state.legal(state.seat):
        after = state.clone()
        after.apply(action)
        values.append(expected(after, seat, finished))
    return mean(values)


@pytest.mark.parametrize("seed", range(3))
def test_estimates_agree_with_exact_values(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Random playouts come close to the mean of all deals and lines before the last two tricks."""
    monkeypatch.setattr(estimate, "EAGER", {})
    state = late_position("suits-steere-3", 2, seed)
    view = state.view(state.seat)

    for one in estimates(state.game, view, seed):
        assert one.points == pytest.approx(exact(state, view, one.token), abs=0.05)


def test_clearly_best_card_is_found() -> None:
    """The card that is better by a fifth of a trick, by all deals and lines, is the best for the last seat to play."""
    clear = 0
    for seed in range(40):
        state = late_position("suits-steere-3", 2, seed)
        state.apply(state.legal(state.seat)[0])
        state.apply(state.legal(state.seat)[0])
        view = state.view(state.seat)
        found = estimates(state.game, view, seed)
        values = {one.token: exact(state, view, one.token) for one in found}
        if max(values.values()) - min(values.values()) > 0.2:
            clear += 1
            assert values[best_of(found)] == max(values.values())
    assert clear > 3


@pytest.mark.parametrize("id", VARIANTS)
def test_every_question_of_a_deal_can_be_estimated(id: str) -> None:
    """Every legal action has an estimate, in canonical order, and exactly one is the best."""
    rules = rules_of(id).shortest()
    rng, state, asked = Random(7), rules.start(), 0
    while state.seat != OVER and asked < 12:
        if state.seat < 0:
            state.deal(rules.draw_board(state.boards, rng))
            continue
        view = state.view(state.seat)
        if len(view["legal"]) > 1:
            asked += 1
            found = estimates(rules, view, asked, late=lambda: True)
            assert [one.token for one in found] == view["legal"]
            assert best_of(found)
            assert all(one.margin >= 0 for one in found)
        state.apply(rng.choice(state.legal(state.seat)))


def test_same_seed_gives_the_same_estimates() -> None:
    """Estimates depend on the view and the seed alone."""
    state = late_position("suits-steere-3", 8, 1)
    view = state.view(state.seat)

    assert estimates(state.game, view, 5) == estimates(state.game, view, 5)
    assert estimates(state.game, view, 5) != estimates(state.game, view, 6)


def test_late_estimates_have_fewer_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine plays the fewest rounds that intervals need, any other one all of them."""
    played: list[View] = []
    once = estimate._round

    def noted(search: Search, view: View, legal: Sequence[str]) -> list[float]:
        played.append(view)
        return once(search, view, legal)

    monkeypatch.setattr(estimate, "_round", noted)
    state = late_position("suits-steere-3", 4, 1)

    estimates(state.game, state.view(state.seat), 1, late=lambda: True)
    assert len(played) == FEWEST
    estimates(state.game, state.view(state.seat), 1)
    assert len(played) == FEWEST + ROUNDS


def test_what_all_actions_have_in_common_widens_no_interval() -> None:
    """Worlds that are good or bad for every action alike leave the intervals at zero."""
    found = estimate.summary(["a", "b"], [[1.0, 2.0], [11.0, 12.0], [-4.0, -3.0]])

    assert [one.margin for one in found] == [0, 0]
    assert best_of(found) == "b"
