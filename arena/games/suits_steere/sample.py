"""Uniform samples of deals of Suits that are consistent with a view.

Players need not follow suit, so a played card reveals nothing about the others: every split of the unseen cards between
the two other hands is possible.
"""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from arena.games.boards import shuffled
from arena.games.deals import Group
from arena.games.events import Json
from arena.games.spanish import INDEX, TOKENS
from arena.games.suits_steere.rules import EACH, PLAYERS, Deal
from arena.games.suits_steere.state import SuitsSteereState

if TYPE_CHECKING:
    from arena.games.suits_steere.game import SuitsSteere


Plays = list[tuple[int, int]]
"""(seat, card); a seat may be one or two turns past the last one."""


def sample(game: "SuitsSteere", view: Mapping[str, Json], rng: Random) -> SuitsSteereState:
    """Return the hand of the view, replayed up to the same point from a random deal that the view allows."""
    plays = _plays(view)
    state = SuitsSteereState(game)
    state.totals = [total - taken for total, taken in zip(view["scores"], view["taken"], strict=True)]
    state.boards = view["hand_number"]
    state.leader = plays[0][0] if plays else view["leader"]
    state.deal(_deal(view, plays, rng))
    for _, card in plays:
        state.apply(card)
    return state


def unseen(view: Mapping[str, Json]) -> list[Group]:
    """Return the cards that the seat has not seen; both others may hold them."""
    others = tuple(seat for seat in range(PLAYERS) if seat != view["seat"])
    return [Group(_unseen(_known(view, _plays(view))), others)]


def _plays(view: Mapping[str, Json]) -> Plays:
    """Return the cards played in the hand, in order."""
    tricks = [*view["tricks"], [view["leader"], *view["trick"]]]
    return [(leader + turn, INDEX[card]) for leader, *cards in tricks for turn, card in enumerate(cards)]


def _deal(view: Mapping[str, Json], plays: Plays, rng: Random) -> Deal:
    """Return the hands as dealt."""
    hands = _known(view, plays)
    rest = shuffled(_unseen(hands), rng)
    for hand in hands:
        while len(hand) < EACH:
            hand.append(rest.pop())
    return Deal(tuple(tuple(sorted(hand)) for hand in hands))


def _known(view: Mapping[str, Json], plays: Plays) -> list[list[int]]:
    """Return the known cards of each hand as dealt."""
    hands: list[list[int]] = [[] for _ in range(PLAYERS)]
    for seat, card in plays:
        hands[seat % PLAYERS].append(card)
    hands[view["seat"]] += [INDEX[card] for card in view["hand"]]
    return hands


def _unseen(hands: list[list[int]]) -> list[int]:
    """Return the cards that are in none of the hands."""
    return sorted(set(range(len(TOKENS))).difference(*hands))
