"""Uniform samples of deals of Suitability that are consistent with a view.

A seat knows the sizes of the other hands, the suits that each has failed to follow (a seat able to follow may play only
a joker instead) and, with three players, which seat took the turn-up. The rules imply nothing about nominations and
claims, so they are not interpreted.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING

from arena.games.cards import INDEX, SUIT_OF, mask_of
from arena.games.deals import Group, deal_uniformly
from arena.games.events import Json
from arena.games.suitability.rules import ACTIONS, JOKER, Deal
from arena.games.suitability.state import SuitabilityState

if TYPE_CHECKING:
    from arena.games.suitability.game import Suitability


def sample(game: "Suitability", view: Mapping[str, Json], rng: Random) -> SuitabilityState:
    """Return the deal of the view, replayed up to the same point from random hands that the view allows."""
    state = game.start()
    state.totals = tuple(view["scores"])
    state.boards = view["deal"]
    state.deal(_board(game, view, rng))
    for _, nomination in view["nominations"]:
        state.apply(ACTIONS[nomination])
    while state.phase == "privilege" and view["claims"][state.seat]:
        state.apply(ACTIONS[view["claims"][state.seat]])
    for _, card in _plays(view):
        state.apply(card)
    return state


def _plays(view: Mapping[str, Json]) -> Iterator[tuple[int, int]]:
    """Return the cards played in the deal, in order, with their seats."""
    players = len(view["scores"])
    for leader, *cards in [*view["tricks"], [view["leader"], *view["trick"]]]:
        for turn, card in enumerate(cards):
            yield (leader + turn) % players, INDEX[card]


def unseen(game: "Suitability", view: Mapping[str, Json]) -> list[Group]:
    """Return the cards that the seat has not seen, with the seats that may hold them."""
    return _groups(game, view, _known(view))


def _board(game: "Suitability", view: Mapping[str, Json], rng: Random) -> Deal:
    hands = _known(view)
    groups = _groups(game, view, hands)
    room = [game.table.each - len(hand) for hand in hands]
    for hand, dealt in zip(hands, deal_uniformly(groups, room, rng), strict=True):
        hand += dealt
    return Deal(tuple(map(mask_of, hands)), INDEX.get(view["turn_up"], -1))


def _known(view: Mapping[str, Json]) -> list[list[int]]:
    """Return the known cards of each hand as dealt."""
    hands: list[list[int]] = [[] for _ in view["scores"]]
    for seat, card in _plays(view):
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


def _groups(game: "Suitability", view: Mapping[str, Json], hands: list[list[int]]) -> list[Group]:
    """Return the cards that are in none of the known hands, by suit."""
    void, seen = _voids(view), {card for hand in hands for card in hand} | {INDEX.get(view["turn_up"])}
    others = [seat for seat in range(game.players) if seat != view["seat"]]
    return [
        Group(
            [card for card in game.table.pack if card not in seen and SUIT_OF[card] == suit],
            tuple(seat for seat in others if (seat, suit) not in void),
        )
        for suit in range(5)
    ]


def _voids(view: Mapping[str, Json]) -> set[tuple[int, int]]:
    """Return (seat, suit) for each suit that a seat failed to follow."""
    void = set()
    for number, (seat, card) in enumerate(_plays(view)):
        suit = SUIT_OF[card]
        if number % len(view["scores"]) == 0:
            led = suit
        elif suit not in (led, JOKER) and led != JOKER:
            void.add((seat, led))
    return void
