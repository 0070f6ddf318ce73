"""Cards: small integers and bit masks inside, `Card` tokens outside, one table between them.

A French card is the integer ``13 * suit + rank`` with suits C D H S = 0..3 and ranks 2..A = 0..12, so that integers
ascend in the canonical order of the match record. Jokers follow: 52, 53, 54. A hand is a bit mask of cards.
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


def mask_of(cards: Iterable[int]) -> int:
    """The bit mask of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _suit_table() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For every suit and 13-bit mask, the cards in ascending order; built from the mask without its highest card."""
    table = []
    for suit in range(4):
        rows: list[tuple[int, ...]] = [()]
        for rank in range(13):
            card = (13 * suit + rank,)
            rows += [row + card for row in rows]
        table.append(tuple(rows))
    return tuple(table)


CARDS_OF: Final = _suit_table()
_JOKERS: Final = tuple(tuple(52 + i for i in range(3) if m >> i & 1) for m in range(8))


def cards_in(hand: int) -> tuple[int, ...]:
    """The cards of a hand in ascending, that is canonical, order."""
    c, d, h, s = CARDS_OF
    return c[hand & 8191] + d[hand >> 13 & 8191] + h[hand >> 26 & 8191] + s[hand >> 39 & 8191] + _JOKERS[hand >> 52]


def tokens(hand: int) -> list[Card]:
    """The tokens of a hand in canonical order."""
    return [CARDS[card] for card in cards_in(hand)]
