"""Auctions in which no card matters (`Game.open_auction`), as arrays with a row for each step.

The steps come from the rules, so nothing here knows a game.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from arena.games.base import Game, State, View
from arena.games.playouts import Tables
from arena.learn.arrays import Array, without_cards
from arena.sdk.encoder import Encoder

NONE: Final = -1
"""Place among the tables of a step at which a decision is due; the other steps are beginnings of trick play."""


class Auction(NamedTuple):
    """Steps up to the beginning of trick play, from the deal, which is step 0."""

    steps: Array
    """Seat to move, place among the `tables`, number of tricks, and place among the `bases`."""
    then: Array
    """Next step by action."""
    legal: Array
    """Whether an action is legal, in bytes."""
    bases: Array
    """Observations by seat, without the hand; the same ones once, because few stay in the cache of the processor."""
    tables: Sequence[Tables]
    hands: tuple[int, ...]
    """Hands of a deal, as masks: all cards, and how many a seat gets."""


def auction(encoder: Encoder) -> Auction:
    """Return the steps of a game with an open auction; without steps for any other game."""
    states, then = _walk(encoder) if encoder.game.open_auction else ([], [])
    plays = [state.trick_play() for state in states]
    tables = [*{play.position.tables: None for play in plays if play}]
    seen = [without_cards(encoder, state).tobytes() for state in states]
    bases = {each: place for place, each in enumerate(dict.fromkeys(seen))}
    steps = [
        (state.seat, tables.index(play.position.tables), play.position.tricks) if play else (state.seat, NONE, 0)
        for state, play in zip(states, plays, strict=True)
    ]
    return Auction(
        np.array([(*step, bases[base]) for step, base in zip(steps, seen, strict=True)], np.int32),
        np.array([[row.get(action, NONE) for action in range(encoder.choices)] for row in then], np.int32),
        np.array([[action in row for action in range(encoder.choices)] for row in then], np.uint8),
        np.frombuffer(b"".join(bases), np.int16),
        tables,
        next((play.world.hands for play in plays if play), ()),
    )


def _walk(encoder: Encoder) -> tuple[list[State], list[dict[int, int]]]:
    """Return a state of each step, with any cards, and the number of the next step by action."""
    game = encoder.game
    states: list[State] = [dealt(game, Random(0))]
    then: list[dict[int, int]] = []
    for state in states:
        then.append({})
        if state.trick_play() is None:
            for number, token in encoder.numbers(View(state.view(state.seat))).items():
                then[-1][number] = len(states)
                states.append(state.clone())
                states[-1].apply(game.action(token))
    return states, then


def dealt(game: Game, rng: Random) -> State:
    """Return the state before the first decision."""
    state = game.start()
    if state.seat < 0:
        state.deal(game.draw_board(0, rng))
    return state
