"""Deals of Suitability that a seat thinks possible, each of them equally likely.

What a seat knows of the other hands is how many cards each holds, which suits each has failed to follow (only a joker
may be played by who could have followed), and with three players who took the turn-up. Nominations and claims follow
from no rule, so nothing is read into them.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING

from arena.games.cards import INDEX, SUIT_OF, mask_of
from arena.games.events import Json
from arena.games.sampling import Group, deal_uniformly
from arena.games.suitability.rules import ACTIONS, JOKER, Deal
from arena.games.suitability.state import SuitabilityState

if TYPE_CHECKING:
    from arena.games.suitability.game import Suitability


def sample(game: "Suitability", view: Mapping[str, Json], rng: Random) -> SuitabilityState:
    """The deal of the view, played again from hands that the view allows up to where it was taken."""
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
    """Every card of the deal that was played, in order, with its seat."""
    players = len(view["scores"])
    for leader, *cards in [*view["tricks"], [view["leader"], *view["trick"]]]:
        for turn, card in enumerate(cards):
            yield (leader + turn) % players, INDEX[card]


def _board(game: "Suitability", view: Mapping[str, Json], rng: Random) -> Deal:
    me = view["seat"]
    hands: list[list[int]] = [[] for _ in range(game.players)]
    for seat, card in _plays(view):
        hands[seat].append(card)
    hands[me] += [INDEX[card] for card in view["hand"]]
    turn_up = INDEX[view["turn_up"]] if view["turn_up"] else -1
    if view["exchange"]:
        _undo_exchange(hands, view["exchange"], turn_up)
    seen = {card for hand in hands for card in hand} | {turn_up}
    unseen = [card for card in game.table.pack if card not in seen]
    room = [game.table.each - len(hand) for hand in hands]
    for hand, dealt in zip(hands, deal_uniformly(_groups(view, unseen), room, rng), strict=True):
        hand += dealt
    return Deal(tuple(map(mask_of, hands)), turn_up)


def _undo_exchange(hands: list[list[int]], exchange: list[Json], turn_up: int) -> None:
    """Give the card back for which a seat took the turn-up."""
    seat, card = exchange
    if turn_up in hands[seat]:
        hands[seat].remove(turn_up)
    hands[seat].append(INDEX[card])


def _groups(view: Mapping[str, Json], unseen: list[int]) -> list[Group]:
    """The unseen cards by suit, and who may hold them."""
    void = _voids(view)
    others = [seat for seat in range(len(view["scores"])) if seat != view["seat"]]
    return [
        Group(
            [card for card in unseen if SUIT_OF[card] == suit],
            tuple(seat for seat in others if (seat, suit) not in void),
        )
        for suit in range(5)
    ]


def _voids(view: Mapping[str, Json]) -> set[tuple[int, int]]:
    """(seat, suit) where the seat did not follow that suit."""
    void = set()
    for number, (seat, card) in enumerate(_plays(view)):
        suit = SUIT_OF[card]
        if number % len(view["scores"]) == 0:
            led = suit
        elif suit not in (led, JOKER) and led != JOKER:
            void.add((seat, led))
    return void
