"""Fixed parts of Suit Yourself: the levels of suits within a trick, and the value of bids."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from arena.games.cards import SUIT_OF, SUITS
from arena.words import N_

PLAYERS: Final = 4
LEFT: Final = (1, 2, 3, 0)
"""Left neighbour of each seat."""
ROUND_TRICKS: Final = 11
MAX_ROUNDS: Final = 60
"""Last round of a match; a match of random moves takes about eight."""
LEVELS: Final = (N_("led"), N_("trump"), N_("supertrump"), N_("alpha"))
TWO_OF_CLUBS: Final = 0

Hands = tuple[int, ...]
"""A board: the mask of each seat's cards."""

_RED: Final = (False, True, True, False)
_VALUES: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11)


def bid_value(card: int) -> int:
    """Return the points of a bid that succeeds."""
    return _VALUES[card % 13]


class SuitLadder:
    """Levels of suits so far in a trick. There are 29 ladders, shared and immutable."""

    __slots__ = ("after", "levels", "power", "suits")

    suits: tuple[int, ...]
    """Suits by level: led, trump, supertrump, alpha; existing levels only."""
    levels: Mapping[str, str | None]
    """Suit letters by name of level; None for levels without a suit."""
    after: "tuple[SuitLadder, ...]"
    """Ladder after a card of each suit."""
    power: tuple[int, ...]
    """Strength of every card; the highest wins the trick, 0 cannot win. Rank counts first, then level."""

    def __init__(self, suits: tuple[int, ...] = ()) -> None:
        self.suits = suits
        self.levels = dict(zip_longest(LEVELS, [SUITS[suit] for suit in suits]))
        self.after = tuple(SuitLadder((*suits, suit)) if _climbs(suits, suit) else self for suit in range(4))
        self.power = tuple(
            4 * rank + suits.index(suit) + 1 if suit in suits else 0 for suit in range(4) for rank in range(13)
        )


def _climbs(suits: tuple[int, ...], suit: int) -> bool:
    """Return whether a suit takes the next level: it has none, and its colour differs from the level below."""
    return not suits or (suit not in suits and _RED[suit] != _RED[suits[-1]])


FOOT: Final = SuitLadder()
"""Ladder before the first card of a trick."""


def ladder_of(trick: Iterable[int]) -> SuitLadder:
    """Return the levels after these cards, in order of play."""
    ladder = FOOT
    for card in trick:
        ladder = ladder.after[SUIT_OF[card]]
    return ladder


def winner_of(trick: Sequence[int]) -> int:
    """Return the index of the card that wins the trick if no other follows."""
    powers = [*map(ladder_of(trick).power.__getitem__, trick)]
    return powers.index(max(powers))


SUIT_COUNT: Final = tuple(1 << 4 * (card // 13) for card in range(52))
"""Contribution of a card to a packed count: four bits per suit, because a seat takes at most 13 cards of a suit."""


def suit_counts(packed: int) -> tuple[int, ...]:
    """Return the cards by suit of a packed count."""
    return (packed & 15, packed >> 4 & 15, packed >> 8 & 15, packed >> 12)


NO_COUNTS: Final = (suit_counts(0),) * PLAYERS


def round_scores(bids: Iterable[Sequence[int]], taken: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return points and number of bids won, both by seat.

    `bids` are one card per seat, first bids and second bids; `taken` are packed counts of cards by seat.
    """
    points, won = [0] * PLAYERS, [0] * PLAYERS
    for cards in bids:
        for seat, card in enumerate(cards):
            if bid_succeeds(seat, card, taken):
                points[seat] += bid_value(card)
                won[seat] += 1
    return tuple(points), tuple(won)


def bid_succeeds(seat: int, card: int, taken: Sequence[int]) -> bool:
    """Return whether no other seat took more cards of the bid's suit in tricks."""
    counts = [packed >> 4 * SUIT_OF[card] & 15 for packed in taken]
    return counts[seat] == max(counts)
