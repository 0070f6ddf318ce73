"""Suit Yourself: the hands and bids of others are hidden, and the cards that they passed to each other."""

from collections.abc import Iterable
from random import Random
from typing import Any

from arena.games.base import Game, State
from arena.games.cards import CARDS, INDEX, mask_of, split
from arena.games.suit_yourself import SuitYourselfState

more: list[dict[str, Any]] = [{"target": 1}, {"target": 120}]
perft: list[tuple[dict[str, Any], list[int]]] = [({}, [13, 13**2, 13**3, 13**4, 13**4 * 12])]


def twin(state: State, seat: int, rng: Random) -> State:
    """Exchange two cards that this seat has not seen, wherever they are or were."""
    assert isinstance(state, SuitYourselfState)
    twin = state.clone()
    hidden = [INDEX[card] for card in CARDS[:52] if card not in known(state.view(seat))]
    if len(hidden) >= 2:
        one, two = rng.sample(hidden, 2)
        swap(twin, {one: two, two: one})
    return twin


def known(view: dict[str, Any]) -> set[str]:
    """Return the cards that a seat has seen in this round."""
    bids = {card for bids in view["bids"] for card in bids if card}
    played = {card for _, *trick in [*view["tricks"], [None, *view["trick"]]] for card in trick}
    passed = {card for _, card in [*view["passed"], *view["received"]]}
    return {*view["hand"]} | bids | played | passed | ({"2C"} if view["two_of_clubs"] else set())


def swap(state: SuitYourselfState, other: dict[int, int]) -> None:
    """Rename cards in hands, bids, passes and pending choices."""

    def renamed(cards: Iterable[int]) -> tuple[int, ...]:
        return tuple(other.get(card, card) for card in cards)

    hands = [mask_of(renamed(INDEX[token] for token in state.hand(seat))) for seat in range(4)]
    state.hands = [mask for hand in hands for mask in split(hand)[:4]]
    state.bids = tuple(map(renamed, state.bids))
    state.passes = tuple(map(renamed, state.passes))
    state.pending = [*renamed(state.pending)]
    state.known = {}


def hides(game: Game) -> bool:
    """Return True: three hands are hidden from every seat."""
    return True


def cards(state: State) -> list[str]:
    """Return hands, bids, passed cards not yet taken up, tricks, and the current trick."""
    assert isinstance(state, SuitYourselfState)
    held = [card for seat in range(4) for card in state.hand(seat)]
    laid = state.bids if len(state.passes) == 3 else state.bids + state.passes
    view = state.view(0)
    held += [card for _, *trick in [*view["tricks"], [None, *view["trick"]]] for card in trick]
    return held + [CARDS[card] for cards in laid for card in cards]
