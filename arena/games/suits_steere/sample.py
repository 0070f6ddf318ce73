"""Uniform samples of deals of Suits that are consistent with a view.

Players need not follow suit, so a played card reveals nothing about the others: every split of the unseen cards between
the two other hands is possible.
"""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from arena.games.boards import shuffled
from arena.games.events import Json
from arena.games.spanish import INDEX, TOKENS
from arena.games.suits_steere.rules import EACH, PLAYERS, Deal
from arena.games.suits_steere.state import SuitsSteereState

if TYPE_CHECKING:
    from arena.games.suits_steere.game import SuitsSteere


def sample(game: "SuitsSteere", view: Mapping[str, Json], rng: Random) -> SuitsSteereState:
    """Return the hand of the view, replayed up to the same point from a random deal that the view allows."""
    tricks = [*view["tricks"], [view["leader"], *view["trick"]]]
    plays = [(leader + turn, INDEX[card]) for leader, *cards in tricks for turn, card in enumerate(cards)]
    state = SuitsSteereState(game)
    state.totals = [total - taken for total, taken in zip(view["scores"], view["taken"], strict=True)]
    state.boards = view["hand_number"]
    state.leader = tricks[0][0]
    state.deal(_deal(view, plays, rng))
    for _, card in plays:
        state.apply(card)
    return state


def _deal(view: Mapping[str, Json], plays: list[tuple[int, int]], rng: Random) -> Deal:
    """Return the hands as dealt; a seat in `plays` may be one or two turns past the last one."""
    hands: list[list[int]] = [[] for _ in range(PLAYERS)]
    for seat, card in plays:
        hands[seat % PLAYERS].append(card)
    hands[view["seat"]] += [INDEX[card] for card in view["hand"]]
    unseen = shuffled(sorted(set(range(len(TOKENS))).difference(*hands)), rng)
    for hand in hands:
        while len(hand) < EACH:
            hand.append(unseen.pop())
    return Deal(tuple(tuple(sorted(hand)) for hand in hands))
