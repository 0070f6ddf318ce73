"""Positions of Separate Suits that a seat thinks possible, each of them equally likely.

What a seat does not know is what the others have chosen in this step, and in a split hand which cards are in their
packets. A packet holds what its owner has shown in the first six tricks, also what was taken back; any cards may be the
rest. How many cards a seat may choose from does not depend on what they are, so to draw packets first and pending
choices then is exact.
"""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from arena.games.events import Json
from arena.games.separate_suits.rules import ACTIONS, PACKET
from arena.games.separate_suits.state import SeparateSuitsState

if TYPE_CHECKING:
    from arena.games.separate_suits.game import SeparateSuits

Cards = list[int]


def sample(game: "SeparateSuits", view: Mapping[str, Json], rng: Random) -> SeparateSuitsState:
    """The hand of the view, played again with packets that the view allows up to where it was taken."""
    state = SeparateSuitsState(game)
    state.totals = tuple(view["scores"])
    state.hand_number = view["hand_number"]
    tricks = _tricks(view)
    steps = [*zip(*_packets(view, tricks, rng), strict=True)] if game.options["split_hand"] else []
    for cards in [*steps, *(cards for attempts in tricks for cards in attempts)]:
        for card in cards:
            state.apply(card)
    if view["chosen"]:
        for seat in range(view["seat"]):
            state.apply(rng.choice(state.legal(seat)))
        state.apply(ACTIONS[view["chosen"]])
    return state


def _tricks(view: Mapping[str, Json]) -> list[list[Cards]]:
    """The attempts of every trick of this hand, the current one last: the cards by seat."""
    tricks = [*(attempts for _, *attempts in view["tricks"]), view["attempts"]]
    return [[[ACTIONS[token] for token in cards] for cards in attempts] for attempts in tricks]


def _packets(view: Mapping[str, Json], tricks: list[list[Cards]], rng: Random) -> list[Cards]:
    """By seat, a packet as far as it is picked."""
    size = len(view["packet"]) if view["phase"] == "packet" else PACKET
    known: list[set[int]] = [set() for _ in view["scores"]]
    known[view["seat"]].update(ACTIONS[token] for token in view["packet"])
    for attempts in tricks[:PACKET]:
        for cards in attempts:
            for seat, card in enumerate(cards):
                known[seat].add(card)
    return [_completed(cards, size, rng) for cards in known]


def _completed(known: set[int], size: int, rng: Random) -> Cards:
    """The known cards, and others up to that size."""
    others = [card for card in ACTIONS.values() if card not in known]
    return [*known, *rng.sample(others, size - len(known))]
