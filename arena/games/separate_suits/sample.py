"""Uniform samples of positions of Separate Suits that are consistent with a view.

A seat does not know the pending choices of others and, with a split hand, which cards are in their packets. A packet
holds the cards that its owner has shown in the first six tricks, including those taken back; the rest is arbitrary.
The number of cards that a seat may choose from does not depend on which they are, so drawing packets first and pending
choices second is exact.
"""

from collections.abc import Mapping
from random import Random

from arena.games.deals import Group
from arena.games.events import Json
from arena.games.playouts import PARTS
from arena.games.separate_suits.rules import ACTIONS, PACKET
from arena.games.separate_suits.state import SeparateSuitsState

Cards = list[int]


def sample(state: SeparateSuitsState, view: Mapping[str, Json], rng: Random) -> SeparateSuitsState:
    """Play from the start to the point of the view, with random packets that it allows; return the state."""
    state.totals = tuple(view["scores"])
    state.hand_number = view["hand_number"]
    tricks = _tricks(view)
    if state.game.options["split_hand"]:  # packets are chosen card by card before the first trick
        tricks.insert(0, [*map(list, zip(*_packets(view, tricks, rng), strict=True))])
    for attempts in tricks:
        for cards in attempts:
            for card in cards:
                state.apply(card)
    if view["chosen"]:
        for seat in range(view["seat"]):
            state.apply(rng.choice(state.legal(seat)))
        state.apply(ACTIONS[view["chosen"]])
    return state


def unseen(view: Mapping[str, Json]) -> list[Group]:
    """Return the cards of each other seat that may be in its packet or out of it, while packets are in play."""
    if not view["packet"]:
        return []
    piles = len(view["scores"]) * (PARTS - 1)
    return [
        Group([card for token in view["hands"][seat] if (card := ACTIONS[token]) not in shown], (seat, piles + seat))
        for seat, shown in enumerate(_shown(_tricks(view), len(view["scores"])))
        if seat != view["seat"]
    ]


def _tricks(view: Mapping[str, Json]) -> list[list[Cards]]:
    """Return the attempts of every trick of this hand, the current one last: the cards by seat."""
    tricks = [*(attempts for _, *attempts in view["tricks"]), view["attempts"]]
    return [[[ACTIONS[token] for token in cards] for cards in attempts] for attempts in tricks]


def _packets(view: Mapping[str, Json], tricks: list[list[Cards]], rng: Random) -> list[Cards]:
    """Return the packets by seat, as far as they are picked."""
    size = len(view["packet"]) if view["phase"] == "packet" else PACKET
    known = _shown(tricks, len(view["scores"]))
    known[view["seat"]].update(ACTIONS[token] for token in view["packet"])
    return [_completed(cards, size, rng) for cards in known]


def _shown(tricks: list[list[Cards]], players: int) -> list[set[int]]:
    """Return the cards that each seat has shown from its packet."""
    shown: list[set[int]] = [set() for _ in range(players)]
    for attempts in tricks[:PACKET]:
        for cards in attempts:
            for seat, card in enumerate(cards):
                shown[seat].add(card)
    return shown


def _completed(known: set[int], size: int, rng: Random) -> Cards:
    """Return the known cards, filled up with random others to that size."""
    others = [card for card in ACTIONS.values() if card not in known]
    return [*known, *rng.sample(others, size - len(known))]
