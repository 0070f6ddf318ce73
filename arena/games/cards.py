"""Cards: small integers and bit masks inside, `Card` tokens outside, one table between them.

A French card is the integer ``13 * suit + rank`` with suits C D H S = 0..3 and ranks 2..A = 0..12, so that integers
ascend in the canonical order of the match record. Jokers follow as suit 4: 52, 53, 54. A hand is a bit mask of cards;
where speed counts it is five masks, one per suit (`split`).
"""

from collections.abc import Iterable
from typing import Final

SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
SUIT_NAMES: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class Card(str):
    """A card's token, such as ``AS`` or ``X1``: a plain string that knows its rank and suit."""

    __slots__ = ()

    @property
    def rank(self) -> str:
        """The rank's letter, ``2``..``A``; for a joker its number."""
        return self[1] if self.is_joker else self[0]

    @property
    def suit(self) -> str:
        """The suit's letter; empty for a joker."""
        return "" if self.is_joker else self[1]

    @property
    def is_joker(self) -> bool:
        """Whether this is one of the jokers X1, X2, X3."""
        return self[0] == "X"


CARDS: Final[tuple[Card, ...]] = (*(Card(r + s) for s in SUITS for r in RANKS), Card("X1"), Card("X2"), Card("X3"))
INDEX: Final[dict[str, int]] = {card: i for i, card in enumerate(CARDS)}


_ONE: Final = tuple(1 << card for card in range(len(CARDS)))


def mask_of(cards: Iterable[int]) -> int:
    """The bit mask of some cards, no two alike."""
    return sum(map(_ONE.__getitem__, cards))


def _suit_table(suit: int, ranks: int) -> tuple[tuple[int, ...], ...]:
    """For every mask of a suit, its cards in ascending order; each row is an earlier one and the highest card."""
    rows: list[tuple[int, ...]] = [()]
    for rank in range(ranks):
        card = (13 * suit + rank,)
        rows += [row + card for row in rows]
    return tuple(rows)


SUIT_OF: Final = tuple(card // 13 for card in range(len(CARDS)))
"""The suit of a card; 4 for a joker."""
BIT: Final = tuple(1 << card % 13 for card in range(len(CARDS)))
"""A card's bit in the mask of its suit."""
CARDS_OF: Final = (*(_suit_table(suit, 13) for suit in range(4)), _suit_table(4, 3))
"""By suit and mask of that suit: the cards in ascending order."""


def split(hand: int) -> tuple[int, int, int, int, int]:
    """The five masks of a hand: clubs, diamonds, hearts, spades, jokers."""
    return hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39 & 8191, hand >> 52


def cards_in(hand: int) -> tuple[int, ...]:
    """The cards of a hand in ascending, that is canonical, order."""
    c, d, h, s, x = split(hand)
    clubs, diamonds, hearts, spades, jokers = CARDS_OF
    return clubs[c] + diamonds[d] + hearts[h] + spades[s] + jokers[x]


def tokens(hand: int) -> list[Card]:
    """The tokens of a hand in canonical order."""
    return [CARDS[card] for card in cards_in(hand)]
