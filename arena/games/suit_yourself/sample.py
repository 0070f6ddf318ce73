"""Uniform samples of rounds of Suit Yourself that are consistent with a view.

Hidden are the hands and bids of others, and the cards that they passed to each other. First the unseen cards are dealt
to hands and bids of the others (`deal_uniformly`): a hand that followed with a lower suit, or with none, is void in the
suits before it; this does not restrict bids. A card that the seat passed is in its recipient's hand or is that player's
second bid. After the deal each other player has twelve cards, played, held or bid second, one of which came from the
seat itself. The other two that it took up may be any two of the remaining eleven, in either order: 110 ways for each
player, whatever the deal, so drawing them after it keeps all rounds equally likely.
"""

from collections.abc import Iterator, Mapping
from random import Random

from arena.games.cards import INDEX, SUIT_OF, mask_of
from arena.games.deals import Group, deal_uniformly
from arena.games.events import Json
from arena.games.suit_yourself.rules import FOOT, PLAYERS, TWO_OF_CLUBS, Hands
from arena.games.suit_yourself.state import SuitYourselfState
from arena.games.tricks import plays

_FIRST, _SECOND = 4, 8
"""Twelve places: 0 to 3 are the cards that each seat holds, has played or is passing; then first and second bids."""


def sample(state: SuitYourselfState, view: Mapping[str, Json], rng: Random) -> SuitYourselfState:
    """Play from the start to the point of the view, from random hands that it allows; return the state."""
    places = _places(view, rng)
    passes = _passes(view, places, rng)
    state.totals, state.last_points, state.last_won = (
        tuple(view[key]) for key in ("scores", "last_points", "last_won")
    )
    state.boards = view["round"]
    state.deal(_board(places, passes if view["received"] else []))
    bids = [[card for place in places[first : first + 4] for card in place] for first in (_FIRST, _SECOND)]
    for card in [*bids[0], *(card for cards in passes for card in cards), *bids[1]]:
        state.apply(card)
    if view["chosen"]:
        for seat in range(view["seat"]):
            state.apply(rng.choice(state.legal(seat)))
        state.apply(INDEX[view["chosen"]])
    for _, card in plays(view, PLAYERS, INDEX):
        state.apply(card)
    return state


def unseen(view: Mapping[str, Json]) -> list[Group]:
    """Return the cards that the seat has not seen, with their possible places."""
    places = _known(view)
    return [*_groups(view, places, _room(view, places))]


def _places(view: Mapping[str, Json], rng: Random) -> list[list[int]]:
    """Return all cards by place."""
    places = _known(view)
    room = _room(view, places)
    for cards, dealt in zip(places, deal_uniformly(_groups(view, places, room), room, rng), strict=True):
        cards += dealt
    return places


def _room(view: Mapping[str, Json], places: list[list[int]]) -> list[int]:
    """Return the number of unknown cards by place."""
    laid = len(view["bids"][0])
    size = [13 - laid] * 4 + [int(laid >= 1)] * 4 + [int(laid >= 2)] * 4
    return [most - len(cards) for most, cards in zip(size, places, strict=True)]


def _known(view: Mapping[str, Json]) -> list[list[int]]:
    """Return the cards whose places the seat knows, by place."""
    me, shown = view["seat"], view["two_of_clubs"]
    places: list[list[int]] = [[] for _ in range(12)]
    for seat, card in plays(view, PLAYERS, INDEX):
        places[seat].append(card)
    places[me] += [INDEX[token] for token in view["hand"]]
    if not view["received"]:
        places[me] += [INDEX[token] for _, token in view["passed"]]
    for seat, bids in enumerate(view["bids"]):
        for first, token in zip((_FIRST, _SECOND), bids, strict=False):
            places[first + seat] += [INDEX[token]] if token else []
    if shown and not any(TWO_OF_CLUBS in cards for cards in places):
        places[shown["seat"]].append(TWO_OF_CLUBS)
    return places


def _groups(view: Mapping[str, Json], known: list[list[int]], room: list[int]) -> Iterator[Group]:
    """Yield the unseen cards by suit with their possible places; each card that the seat passed is its own group."""
    void, seen = _voids(view), {card for cards in known for card in cards}
    given = {INDEX[token]: seat for seat, token in view["passed"]} if view["received"] else {}
    for suit in range(4):
        places = tuple(place for place in range(12) if room[place] and (place, suit) not in void)
        cards = [card for card in range(13 * suit, 13 * suit + 13) if card not in seen]
        yield Group([card for card in cards if card not in given], places)
        for card in cards:
            if card in given:
                yield Group([card], tuple(place for place in places if place in (given[card], _SECOND + given[card])))


def _voids(view: Mapping[str, Json]) -> set[tuple[int, int]]:
    """Return (hand, suit) for each suit in which a hand is void."""
    void = set()
    for leader, *trick in [*view["tricks"], [view["leader"], *view["trick"]]]:
        ladder = FOOT
        for turn, token in enumerate(trick):
            suit = SUIT_OF[INDEX[token]]
            for owed in ladder.suits:
                if owed == suit:
                    break
                void.add(((leader + turn) % PLAYERS, owed))
            ladder = ladder.after[suit]
    return void


def _passes(view: Mapping[str, Json], places: list[list[int]], rng: Random) -> list[list[int]]:
    """Return the cards passed left, across and right, by giver, for completed steps."""
    me = view["seat"]
    passes = [[INDEX[token]] * PLAYERS for _, token in view["passed"]]
    for cards, (giver, token) in zip(passes, view["received"], strict=False):
        cards[giver] = INDEX[token]
    for other in (seat for seat in range(PLAYERS) if seat != me):
        if not view["received"]:
            drawn = rng.sample(places[other], len(passes))
            for cards in passes:
                cards[other] = drawn.pop()
        else:
            mine = passes[(other - me) % PLAYERS - 1][me]
            twelve = places[other] + places[_SECOND + other]
            drawn = rng.sample([card for card in twelve if card != mine], PLAYERS - 2)
            for distance, cards in enumerate(passes, 1):
                giver = (other - distance) % PLAYERS
                if giver != me:
                    cards[giver] = drawn.pop()
    return passes


def _board(places: list[list[int]], passes: list[list[int]]) -> Hands:
    """Return the hands as dealt, with bids and passes undone."""
    hands = [mask_of([*places[seat], *places[_FIRST + seat], *places[_SECOND + seat]]) for seat in range(PLAYERS)]
    for distance, cards in enumerate(passes, 1):
        for giver, card in enumerate(cards):
            hands[giver] ^= 1 << card
            hands[(giver + distance) % PLAYERS] ^= 1 << card
    return tuple(hands)
