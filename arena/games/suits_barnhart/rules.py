"""What is fixed in Suits: who has which suit, how many cards are drawn, what a trick pays, orders as actions."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

from arena.games.cards import INDEX, RANKS, SUIT_OF, TOKENS
from arena.games.errors import IllegalAction

HANDS: Final = 4
TRICKS: Final = 13
"""In a hand; also the cards of a pile."""
WIN: Final = 25
"""Points with which South wins the solitaire at once."""
LOSS: Final = 20
"""Points of a dummy with which South loses it at once."""
ENOUGH: Final = (WIN, LOSS, LOSS, LOSS)
"""Points that end the solitaire, by seat."""
DUMMIES: Final = ("South", "West", "North", "East")
"""By seat: what a dummy there is called."""
ORDER: Final = "HDCS"
"""The suits in order of play."""
SUITS_OF: Final = tuple(tuple(ORDER[(seat - hand) % 4] for seat in range(4)) for hand in range(HANDS))
"""By hand and seat: the seat's suit."""

Piles = tuple[bytes, bytes, bytes, bytes]
"""A board: for each suit of `ORDER` the cards of its pile, the top card first. A byte is a card."""

FULL: Final = tuple(bytes(INDEX[rank + suit] for rank in RANKS) for suit in ORDER)
"""For each suit of `ORDER` its cards, ascending."""
POWER: Final = tuple(4 * (card % 13) + (1, 2, 3, 0)[card // 13] for card in range(52))
"""How strong a card is: four for each rank, and of one rank hearts 3, diamonds 2, clubs 1, spades 0."""
PAYS: Final = tuple(points for points, ranks in ((5, 3), (2, 4), (1, 6)) for _ in range(4 * ranks))
"""By the power of the card that wins a trick: the trick's points."""


class Plan(NamedTuple):
    """What follows from the number of the hand and that of the trick alone."""

    draws: tuple[slice, ...]
    """By player: what it draws of its cards, which lie in the order in which they are drawn."""
    choosers: tuple[int, ...]
    """The players that have two or more cards to put back after the trick."""


@cache
def plans(players: int) -> tuple[tuple[Plan, ...], ...]:
    """By hand and trick."""
    return tuple(tuple(_plans([2 + ORDER.index(suit) for suit in suits[:players]])) for suits in SUITS_OF)


def _plans(sizes: Sequence[int]) -> Iterator[Plan]:
    """The tricks of a hand in which the players draw so many cards, as long as there are so many."""
    drawn = [0 for _ in sizes]
    for left in range(TRICKS, 0, -1):
        counts = [min(size, left) for size in sizes]
        draws = tuple(slice(start, start + count) for start, count in zip(drawn, counts, strict=True))
        drawn = [part.stop for part in draws]
        yield Plan(draws, tuple(seat for seat, count in enumerate(counts) if count > 2))


def points_of(card: str) -> int:
    """What a trick pays that this card wins."""
    return PAYS[POWER[INDEX[card]]]


def solitaire_result(points: Sequence[int]) -> str:
    """How the solitaire ended, ``win``, ``draw`` or ``loss``, where it ended with these points, South's first."""
    south, best = points[0], max(points[1:])
    if south >= WIN or (south > best and best < LOSS):
        return "win"
    return "draw" if south == best and best < LOSS else "loss"


# Actions: a card is itself. An order of two to four cards is a number with a byte for each, behind a byte of 1 that
# sets it apart from cards and tells how many there are; numbers ascend as orders do, card by card.

FIRST_ORDER: Final = 1 << 16
"""Actions from here on are orders."""


@cache
def orders(cards: bytes) -> tuple[int, ...]:
    """Every order of two to four cards of one suit, given ascending, as actions. There are 4316 such sets of cards."""
    return tuple(int.from_bytes((1, *order)) for order in permutations(cards))


def in_order(action: int) -> bytes:
    """The cards of an order."""
    return action.to_bytes((action.bit_length() + 7) // 8)[1:]


def token_of(action: int) -> str:
    """A card, or the cards of an order with commas between them, the first to be drawn again first."""
    return TOKENS[action] if action < FIRST_ORDER else ",".join([TOKENS[card] for card in in_order(action)])


def action_of(token: str) -> int:
    """The action of a token. Raises IllegalAction."""
    cards = [INDEX.get(name, INDEX["X1"]) for name in token.split(",")]
    one_suit = {SUIT_OF[card] for card in cards} in ({0}, {1}, {2}, {3})
    if not one_suit or len(cards) > 4 or len(set(cards)) < len(cards):
        raise IllegalAction(f"{token!r} is no action of suits_barnhart")
    return cards[0] if len(cards) == 1 else int.from_bytes((1, *cards))
