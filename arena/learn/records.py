"""Match records as examples: what a seat saw, could do, and did."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from arena.games.base import CHANCE, View
from arena.learn.arrays import Array
from arena.match.record import game_of
from arena.sdk.encoder import Encoder


class Examples(NamedTuple):
    """Decisions of a match in order, without forced moves."""

    seats: Array
    observations: Array
    legal: Array
    """Whether each choice was legal."""
    actions: Array
    """Numbers of the choices that were made."""


def examples(record: Mapping[str, Any]) -> Examples:
    """Return the decisions of a record. Raises `ArenaError` if a board or a move is not legal."""
    rules = game_of(record)
    encoder, state, boards, found = Encoder(rules), rules.start(), iter(record["boards"]), []
    for seat, token in record["moves"]:
        while state.seat == CHANCE:
            state.deal(rules.board_from_json(state.boards, next(boards)))
        view = View(state.view(seat))
        if len(view.legal) > 1:
            numbers = {action: number for number, action in encoder.numbers(view).items()}
            found.append((seat, encoder.observe(view), [*encoder.mask(view)], numbers[token]))
        state.move(seat, token)
    seats, observations, legal, actions = zip(*found, strict=True)
    return Examples(
        np.array(seats), np.array(observations, np.int16), np.array(legal, bool), np.array(actions),
    )  # fmt: skip
