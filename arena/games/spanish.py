"""The Spanish pack of 48: small integers inside, `SpanishCard` tokens outside.

A card is the integer ``12 * suit + rank`` with suits C O E B (copas, oros, espadas, bastos) = 0..3 and ranks A..K (ace
to rey) = 0..11, so that integers ascend in the canonical order of the match record.
"""

from typing import Final

from arena.words import N_, _, pgettext

SUITS: Final = "COEB"
RANKS: Final = "A23456789JNK"
SUIT_NAMES: Final = {"C": N_("cups"), "O": N_("coins"), "E": N_("swords"), "B": "clubs"}
RANK_NAMES: Final = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "J": N_("sota"), "N": N_("caballo"), "K": N_("rey"),
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


def suit_name(letter: str) -> str:
    """Return the name of a suit in the reader's language: its clubs are not the French ones."""
    return pgettext("Spanish cards", "clubs") if letter == "B" else _(SUIT_NAMES[letter])


def card_name(token: str) -> str:
    """Return the name of a card in the reader's language: ``seven of cups``."""
    rank, suit = _(RANK_NAMES[token[0]]), suit_name(token[1])
    return pgettext("Spanish cards", "%(rank)s of %(suit)s", rank=rank, suit=suit)
