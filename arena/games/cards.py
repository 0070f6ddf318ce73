"""French cards: small integers and bit masks inside, `Card` tokens outside, one table between them.

A card is the integer ``13 * suit + rank`` with suits C D H S = 0..3 and ranks 2..A = 0..12, so that integers ascend in
the canonical order of the match record. Jokers follow as suit 4: 52, 53, 54. A hand is a bit mask of cards; in hot code
it is five masks, one per suit (`split`).
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from arena.words import N_

Item = TypeVar("Item")

SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
SUIT_NAMES: Final = {"C": N_("clubs"), "D": N_("diamonds"), "H": N_("hearts"), "S": N_("spades")}
SUIT_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RANK_NAMES: Final = {
    "2": N_("two"), "3": N_("three"), "4": N_("four"), "5": N_("five"), "6": N_("six"), "7": N_("seven"),
    "8": N_("eight"), "9": N_("nine"), "T": N_("ten"), "J": N_("jack"), "Q": N_("queen"), "K": N_("king"),
    "A": N_("ace"),
}  # fmt: skip
RANK_LABELS: Final = {rank: "10" if rank == "T" else rank for rank in RANKS}
"""Ranks as they are printed on cards."""


class Card(str):
    """A card's token, such as ``AS`` or ``X1``: a string that knows its rank and suit."""

    __slots__ = ()

    @property
    def rank(self) -> str:
        """The rank's letter, ``2``..``A``; a joker's number."""
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
"""Tokens in views, events and records: plain strings, because encoding a `Card` takes much longer."""
CARDS: Final = tuple(map(Card, TOKENS))
INDEX: Final[dict[str, int]] = {token: card for card, token in enumerate(TOKENS)}


_ONE: Final = tuple(1 << card for card in range(len(TOKENS)))


def mask_of(cards: Iterable[int]) -> int:
    """Return the bit mask of distinct cards."""
    return sum(map(_ONE.__getitem__, cards))


SUIT_OF: Final = tuple(card // 13 for card in range(len(TOKENS)))
"""Suit number of each card; 4 for a joker."""
BIT: Final = tuple(1 << card % 13 for card in range(len(TOKENS)))
"""Bit of each card in the mask of its suit."""
CARD_ROWS: Final[tuple[list[tuple[int, ...]], ...]] = ([], [], [], [], [])
"""Cards in ascending order, by suit and mask of that suit. Empty until `make_rows` is called.

Not made at import, because every bot's process would carry three megabytes that most bots never use. Made completely,
because in the engine a plain index is faster than checking for a missing row.
"""
TOKEN_ROWS: Final[tuple[list[tuple[str, ...]], ...]] = ([], [], [], [], [])
"""Tokens of the cards, by suit and mask of that suit. Empty until `make_token_rows` is called."""


def make_rows() -> None:
    """Fill `CARD_ROWS`, which takes about 10 ms. Clubs come last: if they are there, all rows are, in every thread."""
    for suit, rows in reversed([*enumerate(CARD_ROWS)]):
        rows[:] = _rows(range(13 * suit, min(13 * suit + 13, len(TOKENS))))


def make_token_rows() -> None:
    """Fill `TOKEN_ROWS`, which takes about 10 ms. Clubs come last, as in `make_rows`."""
    for suit, rows in reversed([*enumerate(TOKEN_ROWS)]):
        rows[:] = _rows(TOKENS[13 * suit : 13 * suit + 13])


def _rows(cards: Sequence[Item]) -> list[tuple[Item, ...]]:
    """Return, for every mask, its cards in ascending order: each row is an earlier one plus the highest card."""
    rows: list[tuple[Item, ...]] = [()]
    for card in cards:
        rows += [(*row, card) for row in rows]
    return rows


def split(hand: int) -> tuple[int, int, int, int, int]:
    """Return the five masks of a hand: clubs, diamonds, hearts, spades, jokers."""
    return hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39 & 8191, hand >> 52


def cards_in(hand: int) -> list[int]:
    """Return the cards of a hand in ascending (canonical) order."""
    return [card for card, one in enumerate(_ONE) if hand & one]


def tokens(hand: int) -> list[str]:
    """Return the tokens of a hand in canonical order."""
    return [TOKENS[card] for card in cards_in(hand)]
