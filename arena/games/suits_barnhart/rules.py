"""Fixed parts of Suits: suits of the seats, cards drawn, points of a trick, orders as actions."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from arena.games.cards import INDEX, RANKS, SUIT_OF, TOKENS
from arena.games.errors import IllegalAction, shown
from arena.words import N_

HANDS: Final = 4
TRICKS: Final = 13
"""Number of tricks in a hand, and of cards in a pile."""
WIN: Final = 25
"""Points with which South wins the solitaire immediately."""
LOSS: Final = 20
"""Points of a dummy with which South loses it immediately."""
ENOUGH: Final = (WIN, LOSS, LOSS, LOSS)
"""Points that end the solitaire, by seat."""
DUMMIES: Final = (N_("South"), N_("West"), N_("North"), N_("East"))
"""Name of the dummy at each seat."""
ORDER: Final = "HDCS"
"""Suits in order of play."""
SUITS_OF: Final = tuple(tuple(ORDER[(seat - hand) % 4] for seat in range(4)) for hand in range(HANDS))
"""Suit by hand and seat."""

Piles = tuple[bytes, bytes, bytes, bytes]
"""A board: the cards of the pile of each suit of `ORDER`, the top card first. A byte is a card."""

FULL: Final = tuple(bytes(INDEX[rank + suit] for rank in RANKS) for suit in ORDER)
"""Cards of each suit of `ORDER`, ascending."""
POWER: Final = tuple(4 * (card % 13) + (1, 2, 3, 0)[card // 13] for card in range(52))
"""Strength of a card: four for each rank; within a rank hearts 3, diamonds 2, clubs 1, spades 0."""
PAYS: Final = tuple(points for points, ranks in ((5, 3), (2, 4), (1, 6)) for _ in range(4 * ranks))
"""Points of a trick by the power of the winning card."""


class TrickPlan(NamedTuple):
    """Everything that follows from the numbers of the hand and the trick alone."""

    draws: tuple[slice, ...]
    """Slice that each player draws of its cards, which lie in the order in which they are drawn."""
    choosers: tuple[int, ...]
    """Players that put back two or more cards after the trick."""


def _plans(sizes: Sequence[int]) -> Iterator[TrickPlan]:
    """Yield the tricks of a hand in which players draw these numbers of cards, or as many as are left."""
    drawn = [0 for _ in sizes]
    for left in range(TRICKS, 0, -1):
        counts = [min(size, left) for size in sizes]
        draws = tuple(slice(start, start + count) for start, count in zip(drawn, counts, strict=True))
        drawn = [part.stop for part in draws]
        yield TrickPlan(draws, tuple(seat for seat, count in enumerate(counts) if count > 2))


PLANS: Final = {
    players: tuple(tuple(_plans([2 + ORDER.index(suit) for suit in suits[:players]])) for suits in SUITS_OF)
    for players in (1, 4)
}
"""Plans by number of players, hand and trick."""


def points_of(card: str) -> int:
    """Return the points of a trick won by this card."""
    return PAYS[POWER[INDEX[card]]]


def solitaire_result(points: Sequence[int]) -> str:
    """Return ``win``, ``draw`` or ``loss`` for a solitaire that ended with these points, South's first."""
    south, best = points[0], max(points[1:])
    if south >= WIN or (south > best and best < LOSS):
        return "win"
    return "draw" if south == best and best < LOSS else "loss"


# A card is its own action. An order of two to four cards is a number with a byte for each, behind a byte of 1 that
# separates it from cards and encodes their number; numbers ascend like orders, card by card.

FIRST_ORDER: Final = 1 << 16
"""First action that is an order."""
FIRST_PLACE: Final = 52
"""First number of a choice that is an order."""


class _Orders(dict[tuple[int, ...], tuple[int, ...]]):
    """Rows made on first use: few of the 4316 sets occur in a match."""

    def __missing__(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        row = self[cards] = tuple(int.from_bytes((1, *order)) for order in permutations(cards))
        return row


ORDERS: Final = _Orders()
"""All orders, as actions, of two to four cards of one suit, given ascending."""


def in_order(action: int) -> bytes:
    """Return the cards of an order."""
    return action.to_bytes(action.bit_length() // 8 + 1)[1:]


def token_of(action: int) -> str:
    """Return a card, or the cards of an order separated by commas, the first to be drawn again first."""
    return TOKENS[action] if action < FIRST_ORDER else ",".join([TOKENS[card] for card in in_order(action)])


def action_of(token: str) -> int:
    """Return the action of a token. Raises `IllegalAction`."""
    cards = [INDEX.get(name, INDEX["X1"]) for name in token.split(",")]
    one_suit = {SUIT_OF[card] for card in cards} in ({0}, {1}, {2}, {3})
    if not one_suit or len(cards) > 4 or len(set(cards)) < len(cards):
        raise IllegalAction(f"{shown(token)} is not an action of suits_barnhart")
    return cards[0] if len(cards) == 1 else int.from_bytes((1, *cards))
