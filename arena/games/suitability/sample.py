"""Uniform samples of deals of Suitability that are consistent with a view.

A seat knows the sizes of the other hands, the suits that each has failed to follow (a seat able to follow may play only
a joker instead) and, with three players, which seat took the turn-up. The rules imply nothing about nominations and
claims, so they are not interpreted.
"""

from collections.abc import Mapping
from random import Random

from arena.games.cards import INDEX, SUIT_OF, mask_of
from arena.games.deals import Group, deal_uniformly
from arena.games.events import Json
from arena.games.suitability.rules import ACTIONS, JOKER, TABLES, Deal
from arena.games.suitability.state import SuitabilityState
from arena.games.tricks import plays


def sample(state: SuitabilityState, view: Mapping[str, Json], rng: Random) -> SuitabilityState:
    """Play from the start to the point of the view, from random hands that it allows; return the state."""
    state.totals = tuple(view["scores"])
    state.boards = view["deal"]
    state.deal(_board(view, rng))
    for _, nomination in view["nominations"]:
        state.apply(ACTIONS[nomination])
    while state.phase == "privilege" and view["claims"][state.seat]:
        state.apply(ACTIONS[view["claims"][state.seat]])
    for _, card in plays(view, len(view["scores"]), INDEX):
        state.apply(card)
    return state


def unseen(view: Mapping[str, Json]) -> list[Group]:
    """Return the cards that the seat has not seen, with the seats that may hold them."""
    return _groups(view, _known(view))


def _board(view: Mapping[str, Json], rng: Random) -> Deal:
    hands = _known(view)
    groups = _groups(view, hands)
    room = [TABLES[len(hands)].each - len(hand) for hand in hands]
    for hand, dealt in zip(hands, deal_uniformly(groups, room, rng), strict=True):
        hand += dealt
    return Deal(tuple(map(mask_of, hands)), INDEX.get(view["turn_up"], -1))


def _known(view: Mapping[str, Json]) -> list[list[int]]:
    """Return the known cards of each hand as dealt."""
    hands: list[list[int]] = [[] for _ in view["scores"]]
    for seat, card in plays(view, len(view["scores"]), INDEX):
        hands[seat].append(card)
    hands[view["seat"]] += [INDEX[card] for card in view["hand"]]
    if view["exchange"]:
        _undo_exchange(hands, view["exchange"], INDEX[view["turn_up"]])
    return hands


def _undo_exchange(hands: list[list[int]], exchange: list[Json], turn_up: int) -> None:
    """Undo the exchange: return the card that the seat gave for the turn-up."""
    seat, card = exchange
    if turn_up in hands[seat]:
        hands[seat].remove(turn_up)
    hands[seat].append(INDEX[card])


def _groups(view: Mapping[str, Json], hands: list[list[int]]) -> list[Group]:
    """Return the cards that are in none of the known hands, by suit."""
    void, seen = _voids(view), {card for hand in hands for card in hand} | {INDEX.get(view["turn_up"])}
    others = [seat for seat in range(len(hands)) if seat != view["seat"]]
    return [
        Group(
            [card for card in TABLES[len(hands)].pack if card not in seen and SUIT_OF[card] == suit],
            tuple(seat for seat in others if (seat, suit) not in void),
        )
        for suit in range(5)
    ]


def _voids(view: Mapping[str, Json]) -> set[tuple[int, int]]:
    """Return (seat, suit) for each suit that a seat failed to follow."""
    void = set()
    for number, (seat, card) in enumerate(plays(view, len(view["scores"]), INDEX)):
        suit = SUIT_OF[card]
        if number % len(view["scores"]) == 0:
            led = suit
        elif suit not in (led, JOKER) and led != JOKER:
            void.add((seat, led))
    return void
