"""Fixed parts of Separate Suits: ranks and their tokens, the packet, and the winner of a trick."""

from collections.abc import Iterable, Sequence
from typing import Final

from arena.games.cards import BIT, RANKS

TOKENS: Final = tuple(RANKS)
ACTIONS: Final = {token: rank for rank, token in enumerate(TOKENS)}
ALL_RANKS: Final = (1 << len(RANKS)) - 1
"""Mask of a hand before its first trick."""
PACKET: Final = 6
"""Number of cards set aside from a split hand, for the first tricks."""
MAX_HANDS: Final = 40
"""Last hand of a match to points: bots that play alike cancel every trick and never score."""
NOBODY: Final = -1
"""Value in place of the winning seat of a void trick."""


class _Rows(dict[int, tuple[int, ...]]):
    """Rows made on first use: few of all masks ever occur."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        row = self[mask] = tuple(rank for rank in range(len(RANKS)) if mask >> rank & 1)
        return row


RANKS_OF: Final = _Rows()
"""Ranks of a mask, ascending."""


def tokens(ranks: Iterable[int]) -> list[str]:
    """Return the tokens of ranks."""
    return [*map(TOKENS.__getitem__, ranks)]


def ranks_shown(cards: Sequence[int]) -> tuple[int, int]:
    """Return the mask of ranks shown by exactly one seat, and that of ranks shown by several."""
    once = several = 0
    for card in cards:
        bit = BIT[card]
        several |= once & bit
        once |= bit
    return once ^ several, several


def cancelling_winner(cards: Sequence[int]) -> int:
    """Return the seat with the highest rank that no other shows; NOBODY if all cards cancel. `cards` are by seat."""
    single, _ = ranks_shown(cards)
    return cards.index(single.bit_length() - 1) if single else NOBODY


def ordinary_winner(cards: Sequence[int], last: int) -> int:
    """Return the seat with the highest rank; among equals the first clockwise from `last`, that seat included.

    `cards` are by seat; `last` is the winner of the previous trick.
    """
    high = max(cards)
    return cards.index(high, last) if high in cards[last:] else cards.index(high)
