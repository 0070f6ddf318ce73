"""The Spanish pack of 48: small integers inside, `SpanishCard` tokens outside.

A card is the integer ``12 * suit + rank`` with suits C O E B (copas, oros, espadas, bastos) = 0..3 and ranks A..K (ace
to rey) = 0..11, so that integers ascend in the canonical order of the match record.
"""

from typing import Final

SUITS: Final = "COEB"
RANKS: Final = "A23456789JNK"
SUIT_NAMES: Final = {"C": "cups", "O": "coins", "E": "swords", "B": "clubs"}
RANK_NAMES: Final = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "J": "sota", "N": "caballo", "K": "rey",
}  # fmt: skip


class SpanishCard(str):
    """A card's token, such as ``7C`` or ``KO``: a string that knows its rank and suit."""

    __slots__ = ()

    @property
    def rank(self) -> str:
        """The rank's letter: ``A``, ``2``..``9``, ``J`` sota, ``N`` caballo, ``K`` rey."""
        return self[0]

    @property
    def suit(self) -> str:
        """The suit's letter: ``C`` cups, ``O`` coins, ``E`` swords, ``B`` clubs."""
        return self[1]

    @property
    def number(self) -> int:
        """The number printed on the card: 1 for the ace to 12 for the rey."""
        return RANKS.index(self[0]) + 1


TOKENS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Tokens in views, events and records: plain strings, because encoding a `SpanishCard` takes much longer."""
CARDS: Final = tuple(map(SpanishCard, TOKENS))
INDEX: Final[dict[str, int]] = {token: card for card, token in enumerate(TOKENS)}
SUIT_OF: Final = tuple(card // 12 for card in range(len(TOKENS)))
"""Suit number of each card."""
