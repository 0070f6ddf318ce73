"""Deals of Suits that a seat thinks possible, each of them equally likely.

Nobody has to follow suit, so a card that is played says nothing of those that are not: every split of the unseen cards
between the two other hands is possible.
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
    """The hand of the view, played again from a deal that the view allows up to where it was taken."""
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
    """The hands as they were dealt; a seat in `plays` may be a turn or two past the last one."""
    hands: list[list[int]] = [[] for _ in range(PLAYERS)]
    for seat, card in plays:
        hands[seat % PLAYERS].append(card)
    hands[view["seat"]] += [INDEX[card] for card in view["hand"]]
    unseen = shuffled(sorted(set(range(len(TOKENS))).difference(*hands)), rng)
    for hand in hands:
        while len(hand) < EACH:
            hand.append(unseen.pop())
    return Deal(tuple(tuple(sorted(hand)) for hand in hands))
