"""Trick play as tables: everything that a random playout needs from a game's rules.

A game derives the tables from its rules (`State.trick_play`). `arena.sdk.kernel` plays them out, in C or in Python, and
knows no game. A trick walks through *nodes*: it begins at node 0, and each card leads to the next node by its suit. The
node before a card says which cards must be played, and the node after the last card says which of them wins.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from arena.games.deals import Group, Plan

SEATS: Final = 8
"""Maximum number of seats."""
CARDS: Final = 64
"""Maximum number of cards; a hand is a mask of them."""
NODES: Final = 36
"""Maximum number of nodes."""
SUITS: Final = 5
"""Maximum number of suits."""
OWED: Final = 4
"""Maximum number of masks in `Tables.owed`."""
TALLIES: Final = 256
"""Number of tallies that `Tables.points` distinguishes."""
TRICKS: Final = 16
"""Maximum number of tricks, and of cards in a pile."""
NONE: Final = 255
"""Card that stands for an unknown one."""
ROUNDS: Final = 2
"""Maximum number of rounds of bids."""
PARTS: Final = 2 + ROUNDS
"""Number of places of a seat: a hand, bids and a pile."""
GROUPS: Final = 8
"""Maximum number of groups of unseen cards."""
KINDS: Final = 12
"""Maximum number of kinds of places for a group."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Constants of a deal. Two objects are never equal, so make each once and cache it.

    A tally sums up what a seat has won in the deal; its meaning is the game's.
    """

    seats: int
    suits: tuple[int, ...]
    """Suit number of each card."""
    after: tuple[tuple[int, ...], ...]
    """Node after a card, by node and suit."""
    owed: tuple[tuple[int, ...], ...]
    """Masks by node: a player must play from the first one that its hand meets."""
    power: tuple[tuple[int, ...], ...]
    """Power of each card, by the node after the trick. The highest power wins, the earliest card among equal ones."""
    prize: tuple[int, ...]
    """Addition to the tally of the seat that wins a trick, by winning card."""
    worth: tuple[int, ...]
    """Further addition for each card of the trick."""
    points: tuple[tuple[int, ...], ...] = ()
    """Points by seat and the lowest eight bits of its tally; empty if a tally is worth nothing."""
    always: int = 0
    """Cards that may be played even if others are owed."""
    bids: tuple[tuple[int, int], ...] = ()
    """Four-bit field of the tally, as a shift, and points of a bid, by card. A bid succeeds if no other seat has more
    in its field. Empty if there are no bids."""
    draws: tuple[tuple[int, ...], ...] = ()
    """Number of cards that each seat draws from its pile for a trick, by the tricks left after it and by seat, because
    unplayed cards go back under the pile in random order. Empty if there are no piles.

    The winner of a trick leads the next one; with piles the same seat always leads.
    """
    simultaneous: bool = False
    """Whether all seats choose a card at the same time, from hands that may share cards; the highest number wins. An
    empty hand takes up the pile. `after`, `owed` and `power` mean nothing, and `draws` is empty."""
    cancels: bool = False
    """Whether equal cards cancel each other in every simultaneous trick, not only until one has been won. If all cards
    of a trick cancel, all seats choose again, cards that they have not yet tried; the last ones are spent."""

    def legal(self, node: int, hand: int) -> int:
        """Return the cards of a hand that may be played at a node, as a mask."""
        for owed in self.owed[node]:
            if hand & owed:
                return hand & (owed | self.always)
        return hand


class Position(NamedTuple):
    """The public part of a position in play."""

    tables: Tables
    seat: int
    """Seat to move; in a simultaneous trick, any one that has not chosen."""
    trick: tuple[int, ...]
    """Cards of the current trick in order of play, which is that of the seats in a simultaneous trick."""
    tricks: int
    """Number of tricks to finish, including the current one."""
    tallies: tuple[int, ...]
    """Tally of each seat."""
    tried: tuple[int, ...] = ()
    """Masks of the cards that each seat has tried in a simultaneous trick; empty if there are none."""
    winner: int | None = None
    """Seat that won the last simultaneous trick. From there on the first of equal cards wins; None if they cancel."""


class World(NamedTuple):
    """The hidden part: what differs between the positions that a seat considers possible."""

    hands: tuple[int, ...]
    """Mask of the cards that each seat holds."""
    bids: tuple[tuple[int, ...], ...] = ()
    """Bids by round and seat."""
    piles: tuple[bytes, ...] = ()
    """Cards of each seat's pile, the top card first."""


class TrickPlay(NamedTuple):
    """A position in play, as `arena.sdk.kernel` takes it."""

    position: Position
    world: World


@dataclass(frozen=True, eq=False)
class Knowledge:
    """A seat's knowledge of a position in play. Make it once for many worlds.

    With n seats, places 0 to n - 1 are the hands; then come the bids of the first and of the second round, and the
    piles.
    """

    position: Position
    world: World
    """The known cards of every world; NONE stands for unknown bids and cards of piles."""
    plan: Plan
    """All ways to deal the unseen cards to the places. Every deal of them is equally likely."""

    @property
    def room(self) -> tuple[int, ...]:
        """Number of unknown cards by place."""
        return self.plan.room

    @classmethod
    def of(cls, play: TrickPlay, unseen: Iterable[Group]) -> Self:
        """Return the knowledge of a seat in this position that knows all cards but these."""
        unseen, seats, world = [*unseen], play.position.tables.seats, play.world
        hidden = [0] * seats * PARTS
        for cards, places in unseen:
            for place in places:
                hidden[place] |= sum(1 << card for card in cards)
        hands = tuple(hand & ~mask for hand, mask in zip(world.hands, hidden, strict=False))
        bids = tuple(tuple(_known(laid, hidden[seats * round :])) for round, laid in enumerate(world.bids, 1))
        masks = hidden[seats * (PARTS - 1) :]
        piles = tuple(bytes(_known(pile, [mask] * TRICKS)) for pile, mask in zip(world.piles, masks, strict=False))
        known = World(hands, bids, piles)
        room = (*_room(known, world),)
        room += (0,) * (seats * PARTS - len(room))
        return cls(play.position, known, Plan(unseen, room))


def _known(cards: Iterable[int], hidden: Iterable[int]) -> Iterator[int]:
    """Yield each card, or NONE if it is hidden in its place."""
    for card, mask in zip(cards, hidden, strict=False):
        yield NONE if mask >> card & 1 else card


def _room(known: World, world: World) -> Iterator[int]:
    """Yield the number of unknown cards by place."""
    for some, every in zip(known.hands, world.hands, strict=True):
        yield (some ^ every).bit_count()
    seats = len(world.hands)
    for laid in (*known.bids, (0,) * seats, (0,) * seats)[:ROUNDS]:
        yield from (int(card == NONE) for card in laid)
    yield from (pile.count(NONE) for pile in known.piles)
