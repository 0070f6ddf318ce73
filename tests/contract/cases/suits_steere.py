"""Suits by Mark Steere: the other hands are hidden."""

from random import Random
from typing import Any

from arena.games.base import Game, State
from arena.games.suits_steere import SuitsSteereState

more: list[dict[str, Any]] = [{"hands": 1}, {"hands": 2, "first_dealer": 2}, {"hands": 4, "first_dealer": 1}]
perft: list[tuple[dict[str, Any], list[int]]] = [({"hands": 1}, [16, 256, 4096, 61440, 921600])]


def twin(state: State, seat: int, rng: Random) -> State:
    """Swap a card between two hands that this seat does not see."""
    assert isinstance(state, SuitsSteereState)
    twin = state.clone()
    one, two = (other for other in range(3) if other != seat)
    if twin.hands[one] and twin.hands[two]:
        mine, yours = rng.choice(twin.hands[one]), rng.choice(twin.hands[two])
        twin.hands[one] = sorted({*twin.hands[one], yours} - {mine})
        twin.hands[two] = sorted({*twin.hands[two], mine} - {yours})
    return twin


def hides(game: Game) -> bool:
    """Return True: two hands are hidden from every seat."""
    return True


def cards(state: State) -> list[str]:
    """Return hands, tricks, and the current trick."""
    held = [card for seat in range(3) for card in state.view(seat)["hand"]]
    view = state.view(0)
    return held + [card for trick in view["tricks"] for card in trick[1:]] + list(view["trick"])
