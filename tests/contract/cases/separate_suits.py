"""Separate Suits: pending choices are hidden and, with a split hand, the packets."""

from random import Random
from typing import Any

from arena.games.base import Game, State
from arena.games.cards import BIT
from arena.games.separate_suits import PACKET, SeparateSuitsState
from arena.games.separate_suits.rules import RANKS_OF

more: list[dict[str, Any]] = [
    {"players": 2, "cancel_every_trick": True},
    {"players": 2, "cancel_every_trick": True, "split_hand": True},
    {"players": 2, "hands": 3, "split_hand": True},
    {"players": 3, "hands": 2, "cancel_every_trick": True},
    {"players": 3, "points": 5},
    {"players": 4, "hands": 2, "cancel_every_trick": True, "split_hand": True},
    {"players": 5, "hands": 1},
    {"players": 6, "points": 4, "split_hand": True},
    {"players": 7, "points": 4, "cancel_every_trick": True, "split_hand": True},
    {"players": 8, "hands": 1, "split_hand": True},
]
perft: list[tuple[dict[str, Any], list[int]]] = [
    # 11 cards are left after two tricks or two failed attempts, 12 after a trick of two attempts.
    ({"players": 2}, [13, 13**2, 13**2 * 12, 13**2 * 12**2, 156 * 144 * 11 + 13 * (12 * 11 + 132 * 12)]),
    ({"players": 3}, [13, 13**2, 13**3, 13**3 * 12]),
    ({"players": 4, "cancel_every_trick": True}, [13, 13**2, 13**3, 13**4]),
    ({"players": 2, "split_hand": True}, [13, 13**2, 13**2 * 12, 13**2 * 12**2, 13**2 * 12**2 * 11]),
]


def twin(state: State, seat: int, rng: Random) -> State:
    """Swap an unseen card of another seat's packet, and redraw the pending choices of other seats."""
    assert isinstance(state, SeparateSuitsState)
    twin = state.clone()
    others = [other for other in range(state.players) if other != seat]
    if state.game.options["split_hand"] and len(state.tricks) < PACKET:
        _swap(twin, rng.choice(others), rng)
    for other in others:
        if other < len(twin.chosen):
            twin.chosen[other] = rng.choice(twin.legal(other))
    return twin


def _swap(state: SeparateSuitsState, seat: int, rng: Random) -> None:
    """Swap a card of the packet with one of the rest."""
    shown = {
        attempt[seat] for attempts in [*(shown for _, shown in state.tricks), state.attempts] for attempt in attempts
    }
    unseen = [card for card in RANKS_OF[state.current[seat]] if card not in shown]
    if unseen:
        swap = BIT[rng.choice(unseen)] | BIT[rng.choice(RANKS_OF[state.aside[seat]])]
        for name in ("current", "aside", "untried"):
            masks = getattr(state, name)
            setattr(state, name, (*masks[:seat], masks[seat] ^ swap, *masks[seat + 1 :]))


def hides(game: Game) -> bool:
    """Return True: the first choice of a step is hidden from the other seats."""
    return True


def cards(state: State) -> list[str]:
    """Return hands, trick piles and discard piles."""
    view = state.view(0)
    return [card for place in ("hands", "piles", "discards") for cards in view[place] for card in cards]
