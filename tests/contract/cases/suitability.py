"""Suitability: the other hands are hidden."""

from random import Random
from typing import Any

from arena.games.base import Game, State
from arena.games.cards import BIT, INDEX, SUIT_OF
from arena.games.suitability import SuitabilityState

more: list[dict[str, Any]] = [
    {"players": 2, "points": 60},
    {"players": 3, "deals": 3, "first_dealer": 2},
    {"players": 5, "points": 60},
]
perft: list[tuple[dict[str, Any], list[int]]] = [
    ({"players": 2}, [12, 72, 144, 576, 8064, 23040]),
    ({"players": 3}, [12, 72, 144, 1872, 5508, 14004]),
    ({"players": 4}, [12, 72, 144, 576, 7488, 19584]),
    ({"players": 5}, [12, 72, 144, 576, 5328, 27504]),
]


def twin(state: State, seat: int, rng: Random) -> State:
    """Swap a card between two hands that this seat does not see."""
    assert isinstance(state, SuitabilityState)
    twin = state.clone()
    held = {other: [INDEX[token] for token in state.view(other)["hand"]] for other in range(state.game.players)}
    others = [other for other, cards in held.items() if other != seat and cards]
    if len(others) >= 2:
        one, two = rng.sample(others, 2)
        for card in (rng.choice(held[one]), rng.choice(held[two])):
            for who in (one, two):
                twin.hands[5 * SUIT_OF[card] + who] ^= BIT[card]
    return twin


def hides(game: Game) -> bool:
    """Return whether hands are hidden: two players hold the whole pack, so each knows the other's hand."""
    return game.players > 2


def cards(state: State) -> list[str]:
    """Return hands, tricks, the current trick, and the turn-up or the card exchanged for it."""
    assert isinstance(state, SuitabilityState)
    held = [card for seat in range(state.game.players) for card in state.view(seat)["hand"]]
    view = state.view(0)
    out = [view["exchange"][1] if view["exchange"] else view["turn_up"]] if view["turn_up"] else []
    return held + [card for trick in view["tricks"] for card in trick[1:]] + list(view["trick"]) + out
