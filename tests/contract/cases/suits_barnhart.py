"""Suits by Aaron Barnhart: drawn cards of others are hidden, and the order of all piles except cards put back."""

from random import Random
from typing import Any

from arena.games.base import Game, State
from arena.games.cards import CARDS
from arena.games.suits_barnhart import SuitsBarnhartState
from arena.games.suits_barnhart.rules import ORDERS, TRICKS

more: list[dict[str, Any]] = []
"""None: the number of players is the only option, and both values are variants."""
perft: list[tuple[dict[str, Any], list[int]]] = [
    ({"players": 4}, [2, 6, 24, 120, 240, 1440, 34560, 69120]),
    ({"players": 1}, [*(2**moves for moves in range(1, 13)), 4096, 20480, 491520]),
]


def twin(state: State, seat: int, rng: Random) -> State:
    """Shuffle everything that the seat does not know: all remaining cards of others, and its own undrawn cards."""
    assert isinstance(state, SuitsBarnhartState)
    twin = state.clone()
    for other, size in enumerate(state.piles()):
        line = state.lines[other]
        held = state.hands[other] if other < state.players else []
        if other == seat:
            start, end = len(line) - size, max(TRICKS, len(line) - size)
            cards = list(line[start:end])
            rng.shuffle(cards)
            twin.lines[other] = line[:start] + bytes(cards) + line[end:]
        else:
            cards = [*held, *line[len(line) - size :]]
            rng.shuffle(cards)
            twin.lines[other] = line[: len(line) - size] + bytes(cards[len(held) :])
            if held:
                twin.hands[other] = sorted(cards[: len(held)])
            if other < state.players and state.chosen[other]:
                twin.chosen[other] = rng.choice(ORDERS[(*twin.hands[other],)])
    return twin


def hides(game: Game) -> bool:
    """Return whether another seat is there: in the solitaire South plays alone."""
    return game.players > 1


def cards(state: State) -> list[str]:
    """Return piles, drawn cards, tricks, and the current trick."""
    assert isinstance(state, SuitsBarnhartState)
    piles = [card for line, size in zip(state.lines, state.piles(), strict=True) for card in line[len(line) - size :]]
    held = [card for hand in state.hands for card in hand]
    played = [card for _, *cards in state.tricks for card in cards]
    return [CARDS[card] for card in (*piles, *held, *state.trick)] + played
