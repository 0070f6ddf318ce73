"""Uniform samples of positions of Suits that are consistent with a view.

A seat knows the set of cards in another's pile and hand: those of the suit that were not played. It does not know which
of them are drawn, nor their order, except for its own drawn cards and the bottom of its own pile, which it put there.
Nothing public depends on unplayed cards: the numbers drawn and put back follow from the suit and the trick. So
exchanging two unplayed cards of another seat throughout, in its pile and in the orders that it chose, turns a possible
course of the hand into another with the same view; so does exchanging two own cards that were never drawn. Hence every
order of such cards is possible, and none from shuffled piles is likelier than another, unless the choices of others are
interpreted; the rules imply nothing about them, so they are not.
"""

from collections.abc import Mapping
from operator import sub
from random import Random

from arena.games.boards import shuffled
from arena.games.cards import INDEX, TOKENS
from arena.games.deals import Group
from arena.games.events import Json
from arena.games.playouts import ROUNDS
from arena.games.suits_barnhart.rules import FULL, PLANS, TRICKS, action_of
from arena.games.suits_barnhart.state import SuitsBarnhartState

_PILES = 4 * (1 + ROUNDS)
"""Place of the first seat's pile in `playouts.Knowledge`."""


def sample(state: SuitsBarnhartState, view: Mapping[str, Json], rng: Random) -> SuitsBarnhartState:
    """Make the start the position of the view, with random piles and drawn cards that it allows; return it."""
    state.boards = view["deal"] + 1
    state.phase = view["phase"]
    state.totals = list(view["scores"])
    state.before = tuple(map(sub, view["scores"], view["points"]))
    state.trick = [INDEX[card] for card in view["trick"]]
    state.tricks = list(map(tuple, view["tricks"]))
    state.plan = PLANS[state.players][view["deal"]][len(state.tricks) - (state.phase == "return")]
    _fill(state, view, rng)
    _set_turn(state, view)
    return state


def unseen(view: Mapping[str, Json]) -> list[Group]:
    """Return the cards that the seat has not seen, by their owner, who may have drawn them."""
    return [Group(cards, (seat, _PILES + seat)) for seat, cards in enumerate(_unseen(view))]


def _unseen(view: Mapping[str, Json]) -> list[list[int]]:
    """Return the unseen cards of each seat's suit."""
    known = {*view["trick"], *view["drawn"], *view["pile"]}.union(*view["tricks"])
    suits = [FULL[(seat - view["leader"]) % 4] for seat in range(4)]
    return [[card for card in suit if TOKENS[card] not in known] for suit in suits]


def _fill(state: SuitsBarnhartState, view: Mapping[str, Json], rng: Random) -> None:
    """Set the drawn cards and the piles; only the number of earlier cards in a line matters."""
    lines = []
    for seat, (size, suit) in enumerate(zip(view["piles"], _unseen(view), strict=True)):
        cards, hand = shuffled(suit, rng), []
        if seat == view["seat"]:
            hand = [INDEX[card] for card in view["drawn"]]
            cards += [INDEX[card] for card in view["pile"] if card]
        drawn = len(cards) - size
        gone = TRICKS - size
        if seat < state.players:
            state.hands[seat] = hand + sorted(cards[:drawn])
            gone = state.plan.draws[seat].stop
        lines.append(bytes(gone) + bytes(cards[drawn:]))
    state.lay(lines)


def _set_turn(state: SuitsBarnhartState, view: Mapping[str, Json]) -> None:
    """Set the seat to move, and the choice of the viewing seat if it has made one."""
    if state.phase == "play":
        state.seat = (state.leader + len(state.trick)) % 4
        return
    me, chosen = view["seat"], view["chosen"]
    if chosen:
        state.chosen[me] = action_of(chosen)
    state.waiting = tuple([seat for seat in state.plan.choosers if not (chosen and seat == me)])
    state.seat = state.waiting[0]
