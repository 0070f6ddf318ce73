"""Uniform samples of deals of Suits that are consistent with a view.

Players need not follow suit, so a played card reveals nothing about the others: every split of the unseen cards between
the two other hands is possible.
"""

from collections.abc import Iterable, Mapping
from random import Random

from arena.games.boards import shuffled
from arena.games.deals import Group
from arena.games.events import Json
from arena.games.spanish import INDEX, TOKENS
from arena.games.suits_steere.rules import EACH, PLAYERS, Deal
from arena.games.suits_steere.state import SuitsSteereState
from arena.games.tricks import plays

Plays = Iterable[tuple[int, int]]
"""(seat, card) in order."""


def sample(state: SuitsSteereState, view: Mapping[str, Json], rng: Random) -> SuitsSteereState:
    """Play from the start to the point of the view, from a random deal that it allows; return the state."""
    played = [*plays(view, PLAYERS, INDEX)]
    state.totals = [total - taken for total, taken in zip(view["scores"], view["taken"], strict=True)]
    state.boards = view["hand_number"]
    state.leader = played[0][0] if played else view["leader"]
    state.deal(_deal(view, played, rng))
    for _, card in played:
        state.apply(card)
    return state


def unseen(view: Mapping[str, Json]) -> list[Group]:
    """Return the cards that the seat has not seen; both others may hold them."""
    others = tuple(seat for seat in range(PLAYERS) if seat != view["seat"])
    return [Group(_unseen(_known(view, plays(view, PLAYERS, INDEX))), others)]


def _deal(view: Mapping[str, Json], played: Plays, rng: Random) -> Deal:
    """Return the hands as dealt."""
    hands = _known(view, played)
    rest = shuffled(_unseen(hands), rng)
    for hand in hands:
        while len(hand) < EACH:
            hand.append(rest.pop())
    return Deal(tuple(tuple(sorted(hand)) for hand in hands))


def _known(view: Mapping[str, Json], played: Plays) -> list[list[int]]:
    """Return the known cards of each hand as dealt."""
    hands: list[list[int]] = [[] for _ in range(PLAYERS)]
    for seat, card in played:
        hands[seat].append(card)
    hands[view["seat"]] += [INDEX[card] for card in view["hand"]]
    return hands


def _unseen(hands: list[list[int]]) -> list[int]:
    """Return the cards that are in none of the hands."""
    return sorted(set(range(len(TOKENS))).difference(*hands))
