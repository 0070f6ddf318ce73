"""Fixed parts of Suits: the values of a trick's three cards, and its two kinds of boards."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.games.spanish import SUIT_OF

PLAYERS: Final = 3
EACH: Final = 16
"""Number of cards in a hand, and of tricks."""
LEFT: Final = (1, 2, 0)
RIGHT: Final = (2, 0, 1)
"""Right neighbour of each seat."""


class Deal(NamedTuple):
    """Board of a hand: cards in ascending order, by seat."""

    hands: tuple[tuple[int, ...], ...]


class TieBreak(NamedTuple):
    """Board after the last hand if the first place is tied: one card per seat."""

    cards: tuple[int, ...]


def _levels(*suits: int) -> tuple[int, ...]:
    """Return the level of each card of a trick with these suits: a higher level wins, equal levels compare by rank."""
    if len(set(suits)) == PLAYERS:
        missing = 6 - sum(suits)
        # Suits are numbered along the cycle in which each beats the next.
        return tuple(3 - (suit - missing) % 4 for suit in suits)
    return tuple(suits.count(suit) for suit in suits)


def _lifts(*suits: int) -> tuple[int, ...]:
    """Return offsets for the integers of three cards that make them compare like the cards."""
    return tuple(12 * (level - suit) for level, suit in zip(_levels(*suits), suits, strict=True))


_LIFTS: Final = [[[_lifts(one, two, three) for three in range(4)] for two in range(4)] for one in range(4)]


def values(one: int, two: int, three: int) -> tuple[int, int, int]:
    """Return the values of the cards of one trick, all different; the highest wins."""
    first, second, third = _LIFTS[SUIT_OF[one]][SUIT_OF[two]][SUIT_OF[three]]
    return one + first, two + second, three + third


def best(one: int, two: int, three: int) -> int:
    """Return the index of the winning card of a trick: the highest of `values`, in a third of the time."""
    first, second, third = _LIFTS[SUIT_OF[one]][SUIT_OF[two]][SUIT_OF[three]]
    first += one
    second += two
    third += three
    if first > second:
        return 0 if first > third else 2
    return 1 if second > third else 2


def order(cards: Sequence[int]) -> list[int]:
    """Return the three cards of a trick from the highest value to the lowest."""
    worth = dict(zip(cards, values(*cards), strict=True))
    return sorted(cards, key=worth.__getitem__, reverse=True)
