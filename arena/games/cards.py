"""Cards: small integers and bit masks inside, `Card` tokens outside, one table between them.

A French card is the integer ``13 * suit + rank`` with suits C D H S = 0..3 and ranks 2..A = 0..12, so that integers
ascend in the canonical order of the match record. Jokers follow as suit 4: 52, 53, 54. A hand is a bit mask of cards;
where speed counts it is five masks, one per suit (`split`).
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

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


TOKENS: Final[tuple[str, ...]] = (*(rank + suit for suit in SUITS for rank in RANKS), "X1", "X2", "X3")
"""Cards as views, events and records tell them: plain strings, because a `Card` takes much longer to encode."""
CARDS: Final = tuple(map(Card, TOKENS))
INDEX: Final[dict[str, int]] = {token: card for card, token in enumerate(TOKENS)}


_ONE: Final = tuple(1 << card for card in range(len(TOKENS)))


def mask_of(cards: Iterable[int]) -> int:
    """The bit mask of some cards, no two alike."""
    return sum(map(_ONE.__getitem__, cards))


SUIT_OF: Final = tuple(card // 13 for card in range(len(TOKENS)))
"""The suit of a card; 4 for a joker."""
BIT: Final = tuple(1 << card % 13 for card in range(len(TOKENS)))
"""A card's bit in the mask of its suit."""
CARD_ROWS: Final[tuple[list[tuple[int, ...]], ...]] = ([], [], [], [], [])
"""By suit and mask of that suit: the cards in ascending order. Empty until `make_rows` is called.

Not made at import, because every bot's process would carry three megabytes that most never look at; and complete when
it is made, because in the engine a plain index beats every check whether something is there.
"""
TOKEN_ROWS: Final[tuple[list[tuple[str, ...]], ...]] = ([], [], [], [], [])
"""The same with the tokens of the cards. Empty until `make_token_rows` is called."""


def make_rows() -> None:
    """Fill `CARD_ROWS`; takes about 10 ms."""
    for suit, rows in enumerate(CARD_ROWS):
        rows[:] = _rows(range(13 * suit, min(13 * suit + 13, len(TOKENS))))


def make_token_rows() -> None:
    """Fill `TOKEN_ROWS`; takes about 10 ms."""
    for suit, rows in enumerate(TOKEN_ROWS):
        rows[:] = _rows(TOKENS[13 * suit : 13 * suit + 13])


def _rows(cards: Sequence[Item]) -> list[tuple[Item, ...]]:
    """For every mask, its cards in ascending order: each row is an earlier one and the highest card."""
    rows: list[tuple[Item, ...]] = [()]
    for card in cards:
        rows += [(*row, card) for row in rows]
    return rows


def split(hand: int) -> tuple[int, int, int, int, int]:
    """The five masks of a hand: clubs, diamonds, hearts, spades, jokers."""
    return hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39 & 8191, hand >> 52


def cards_in(hand: int) -> list[int]:
    """The cards of a hand in ascending, that is canonical, order."""
    return [card for card, one in enumerate(_ONE) if hand & one]


def tokens(hand: int) -> list[str]:
    """The tokens of a hand in canonical order."""
    return [TOKENS[card] for card in cards_in(hand)]
