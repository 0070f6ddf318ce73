"""Observations as numpy arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.games.base import State, View
from arena.sdk.encoder import Encoder

Array = NDArray[Any]


def without_cards(encoder: Encoder, state: State) -> Array:
    """Return the observations of all seats at the beginning of trick play or before, without their hands."""
    views = [View(state.view(seat)) for seat in range(encoder.game.players)]
    seen = np.array([encoder.observe(view) for view in views], np.int16)
    for part, start, end in zip(encoder.parts, encoder.offsets, encoder.offsets[1:], strict=False):
        if part.name == "hand":
            seen[:, start:end] = 0
    return seen
