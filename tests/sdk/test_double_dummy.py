"""Perfect play when all cards are known."""

from random import Random

import pytest

from arena.games.base import CHANCE, State
from arena.games.registry import rules_of
from arena.sdk import DoubleDummy
from arena.sdk.double_dummy import UNKNOWN, ascending, dividers
from arena.sdk.search import default_weights


def near_the_end(variant: str, tricks: int, seed: int) -> State:
    """Return a position of random play that begins or is in a trick, with this number of tricks to finish."""
    rules, rng = rules_of(variant), Random(seed)
    state, moves = rules.start(), seed % rules.players
    while not (play := state.trick_play()) or play.position.tricks > tricks or len(play.position.trick) < moves:
        if state.seat == CHANCE:
            state.deal(rules.draw_board(state.boards, rng))
        else:
            state.apply(rng.choice(state.legal(state.seat)))
    return state


def minimax(state: State, seat: int) -> float:
    """Return the lead of a seat's side in the deal, by the rules alone."""
    weights = default_weights(state.game, seat)
    if state.seat < 0 or not state.trick_play():
        return sum(weight * each for weight, each in zip(weights, state.scores(), strict=True))
    found = []
    for action in state.legal(state.seat):
        after = state.clone()
        after.apply(action)
        found.append(minimax(after, seat))
    return (max if weights[state.seat] > 0 else min)(found)


@pytest.mark.parametrize(
    ("variant", "tricks"),
    [
        ("suitability-2", 4),
        ("suitability-3", 3),
        ("suitability-4", 2),
        ("suitability-4-partners", 3),
        ("suitability-5", 2),
        ("suit-yourself", 2),
        ("suits-steere-3", 3),
    ],
)
def test_values_are_those_of_minimax(variant: str, tricks: int) -> None:
    """Values differ by a constant from the lead of the match that a search of all lines finds by the rules."""
    for seed in range(6):
        state = near_the_end(variant, tricks, seed)
        rules, seat, values = state.game, state.seat, dict[str, float]()
        for action in state.legal(seat):
            after = state.clone()
            after.apply(action)
            values[rules.token(action)] = minimax(after, seat)
        double_dummy = DoubleDummy(rules, seat)

        found = double_dummy.values(state)

        assert len({round(found[token] - values[token], 6) for token in values}) == 1
        assert found[double_dummy.best(state)] == max(found.values())


def test_other_sides_lower_the_value() -> None:
    """The seat to move need not be one of the side."""
    state = near_the_end("suitability-2", 3, 0)

    own = DoubleDummy(state.game, state.seat).values(state)
    other = DoubleDummy(state.game, 1 - state.seat).values(state)

    assert {token: -value for token, value in own.items()} == other


def test_deals_are_kept_apart() -> None:
    """One object gives the same values as a new one, in whatever deal."""
    states = [near_the_end("suitability-2", tricks, seed) for seed in range(4) for tricks in (4, 3, 5)]
    one = DoubleDummy(states[0].game, 0)

    for state in states:
        assert one.values(state) == DoubleDummy(state.game, 0).values(state)


def test_equal_positions_of_a_deal_are_solved_once() -> None:
    """After the first decision of a deal nothing is left to solve."""
    state = near_the_end("suitability-2", 6, 0)
    double_dummy = DoubleDummy(state.game, state.seat)
    double_dummy.best(state)
    assert double_dummy._deal
    known = len(double_dummy._deal.bounds)
    assert UNKNOWN not in double_dummy._deal.bounds.values()

    double_dummy.best(state)

    assert len(double_dummy._deal.bounds) == known


def test_cards_are_equal_unless_another_one_divides_them() -> None:
    """Only the cards between two cards of a suit of Suitability divide the two."""
    state = near_the_end("suitability-2", 14, 0)
    play = state.trick_play()
    assert play
    cards = sum(play.world.hands)

    found = dict(dividers(play.position.tables, cards))

    assert found
    for (one, other), mask in found.items():
        assert [*ascending(mask)] == [*range(one + 1, other)]


@pytest.mark.parametrize("variant", ["suits-barnhart-4", "separate-suits-2"])
def test_other_games_are_refused(variant: str) -> None:
    """Piles and simultaneous choices have no perfect line."""
    rules = rules_of(variant)
    state = rules.start()
    if state.seat == CHANCE:
        state.deal(rules.draw_board(0, Random(1)))
    while not state.trick_play():
        state.apply(state.legal(state.seat)[0])

    for method in (DoubleDummy(rules, 0).values, DoubleDummy(rules, 0).best):
        with pytest.raises(ValueError, match="in a game without piles whose cards are played in turn"):
            method(state)


def test_an_auction_is_refused() -> None:
    """No cards are played yet."""
    state = rules_of("suitability-2").start()
    state.deal(state.game.draw_board(0, Random(1)))

    with pytest.raises(ValueError, match="must be one of play"):
        DoubleDummy(state.game, 0).best(state)
