"""Trick play as tables."""

from random import Random

import pytest

from arena.games.playouts import TrickPlay
from arena.games.registry import VARIANTS, rules_of


def allowed(play: TrickPlay) -> set[int]:
    """Return the cards that the tables allow."""
    position, tables = play.position, play.position.tables
    node, hand = 0, play.world.hands[position.seat]
    for card in position.trick:
        node = tables.after[node][tables.suits[card]]
    due = next((hand & mask | hand & tables.always for mask in tables.owed[node] if hand & mask), hand)
    return {card for card in range(64) if due >> card & 1}


@pytest.mark.parametrize("variant", VARIANTS)
def test_tables_allow_the_cards_that_the_rules_allow(variant: str) -> None:
    """Seat and cards are those of the rules in every position of a random deal; there are none between deals."""
    rng, rules = Random(1), rules_of(variant)
    state = rules.start()
    assert rules.trick_play(state) is None
    if state.seat < 0:
        state.deal(rules.draw_board(0, rng))
    seen = 0
    while state.seat >= 0:
        legal = state.legal(state.seat)
        if play := rules.trick_play(state):
            seen += 1
            assert play.position.seat == state.seat
            assert allowed(play) == set(legal)
        state.apply(rng.choice(legal))

    assert rules.trick_play(state) is None
    assert bool(seen) == (not variant.startswith(("separate", "suits-barnhart-solitaire")))
