"""What is fixed in Separate Suits: ranks and their tokens, the packet, and who wins a trick."""

from collections.abc import Iterable, Sequence
from typing import Final

from arena.games.cards import BIT, RANKS

TOKENS: Final = tuple(RANKS)
ACTIONS: Final = {token: rank for rank, token in enumerate(TOKENS)}
ALL_RANKS: Final = (1 << len(RANKS)) - 1
"""The mask of a hand before its first trick."""
PACKET: Final = 6
"""How many cards are set aside where the hand is split: the first so many tricks are played with them."""
MAX_HANDS: Final = 40
"""A match to points ends after this hand at the latest: bots that play alike cancel every trick and never score."""
NOBODY: Final = -1
"""In the place of a winner's seat."""


class _Rows(dict[int, tuple[int, ...]]):
    """Rows are made when they are first asked for: few of all masks are ever met."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        row = self[mask] = tuple(rank for rank in range(len(RANKS)) if mask >> rank & 1)
        return row


RANKS_OF: Final = _Rows()
"""By mask: its ranks, ascending."""


def tokens(ranks: Iterable[int]) -> list[str]:
    """The tokens of some ranks."""
    return [*map(TOKENS.__getitem__, ranks)]


def ranks_shown(cards: Sequence[int]) -> tuple[int, int]:
    """Masks of the ranks that exactly one seat shows, and of those that several show."""
    once = several = 0
    for card in cards:
        bit = BIT[card]
        several |= once & bit
        once |= bit
    return once ^ several, several


def cancelling_winner(cards: Sequence[int]) -> int:
    """The seat with the highest rank that nobody else shows; NOBODY where all cards cancel. `cards` are by seat."""
    single, _ = ranks_shown(cards)
    return cards.index(single.bit_length() - 1) if single else NOBODY


def ordinary_winner(cards: Sequence[int], last: int) -> int:
    """The seat with the highest rank; of several the first clockwise from `last`, who won the trick before, and counts.

    `cards` are by seat.
    """
    high = max(cards)
    return cards.index(high, last) if high in cards[last:] else cards.index(high)
