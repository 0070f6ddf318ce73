"""Trick play as tables."""

from random import Random

import pytest

from arena.games.base import Game, State
from arena.games.playouts import Knowledge, TrickPlay
from arena.games.registry import VARIANTS, rules_of
from arena.games.suits_steere import SuitsSteere


def allowed(play: TrickPlay) -> set[int]:
    """Return the cards that the tables allow."""
    position, tables = play.position, play.position.tables
    tried = position.tried or (0,) * tables.seats
    node, hand = 0, play.world.hands[position.seat] & ~tried[position.seat]
    for card in position.trick:
        node = tables.after[node][tables.suits[card]]
    return {card for card in range(64) if tables.legal(node, hand) >> card & 1}


@pytest.mark.parametrize("variant", VARIANTS)
def test_tables_allow_the_cards_that_the_rules_allow(variant: str) -> None:
    """Seat and cards are those of the rules in every position of a random deal; there are none between deals."""
    rng, rules = Random(1), rules_of(variant)
    state = rules.start()
    if state.seat < 0:
        assert state.trick_play() is None
        state.deal(rules.draw_board(0, rng))
    seen = 0
    while state.seat >= 0:
        legal = state.legal(state.seat)
        if play := state.trick_play():
            seen += 1
            assert play.position.seat == state.seat
            assert allowed(play) == set(legal)
            groups = rules.unseen(state.view(state.seat))
            known = Knowledge.of(play, groups)
            assert known.world.hands[state.seat] == play.world.hands[state.seat]
            assert sum(known.room) == sum(len(group.cards) for group in groups)
        state.apply(rng.choice(legal))

    assert state.trick_play() is None
    assert seen


def test_games_may_have_no_tables() -> None:
    """The kernel cannot play such a game, and has no groups of its cards."""
    assert State.trick_play(Nobody().start()) is None
    with pytest.raises(NotImplementedError, match="suits_by_nobody is not played as tables"):
        Game.unseen(Nobody(), {})


class Nobody(SuitsSteere):
    """A game without tables."""

    id = "suits_by_nobody"
