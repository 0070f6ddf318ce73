"""A position of Separate Suits, and the knowledge of its seats."""

from collections.abc import Hashable, Sequence
from typing import Self

from arena.games.base import OVER, Game, State
from arena.games.events import Event, Json
from arena.games.separate_suits.rules import ALL_RANKS, NOBODY, PACKET, RANKS_OF, TOKENS, tokens


class SeparateSuitsPosition(State):
    """A position of Separate Suits, without its moves.

    All seats choose in every step and hold equally many cards. They run out of cards, and of cards to try, in the same
    step, so what remains for seat 0 decides it for all.

    Lists belong to this state; tuples are shared with its clones and replaced when they change.
    """

    __slots__ = (
        "aside", "attempts", "chosen", "current", "hand_number", "last_winner", "phase", "players", "taken", "totals",
        "tricks", "untried",
    )  # fmt: skip

    def __init__(self, game: Game, events: list[Event] | None = None) -> None:
        super().__init__(game, events)
        self.players = game.players
        self.totals: tuple[int, ...] = (0,) * game.players
        self.hand_number = 0
        self._begin_hand()

    def _begin_hand(self) -> None:
        """Give every seat its cards for a new hand."""
        nothing, everything = (0,) * self.players, (ALL_RANKS,) * self.players
        split = self.game.options["split_hand"]
        self.phase = "packet" if split else "play"
        self.current: tuple[int, ...] = nothing if split else everything
        """Mask by seat of the cards to play from: the packet, or all cards held."""
        self.aside: tuple[int, ...] = everything if split else nothing
        """Mask by seat of the cards kept for tricks 7 to 13 of a split hand."""
        self.untried: tuple[int, ...] = everything
        """Mask by seat of the cards that may be chosen."""
        self.chosen: list[int] = []
        """Choices made in this step, by seat."""
        self.attempts: list[list[int]] = []
        """Cards by seat that were shown in the current trick and taken back, in order."""
        self.tricks: list[tuple[int, list[list[int]]]] = []
        """Finished tricks of this hand: the winner, and all attempts."""
        self.taken = [0] * self.players
        self.last_winner = NOBODY
        self.seat = 0

    @property
    def cancelling(self) -> bool:
        """Whether equal cards cancel each other in this trick."""
        return self.last_winner == NOBODY or self.game.options["cancel_every_trick"]

    @property
    def finished(self) -> int:
        """Number of hands that have been played to the end: there are no boards between them."""
        return self.hand_number + (self.seat == OVER)

    def actors(self) -> tuple[int, ...]:
        return tuple(range(self.seat, self.players)) if self.seat >= 0 else ()

    def legal(self, seat: int) -> Sequence[int]:
        return RANKS_OF[self.untried[seat]]

    def scores(self) -> list[int]:
        return list(self.totals)

    def view(self, seat: int) -> dict[str, Json]:
        held = [tokens(RANKS_OF[now | later]) for now, later in zip(self.current, self.aside, strict=True)]
        in_packet = self.game.options["split_hand"] and len(self.tricks) < PACKET
        piles, discards = self._spent()
        return {
            "seat": seat,
            "phase": self.phase,
            "legal": tokens(RANKS_OF[self.untried[seat]]) if 0 <= self.seat <= seat else [],
            "chosen": TOKENS[self.chosen[seat]] if seat < len(self.chosen) else None,
            "hand": held[seat].copy(),
            "packet": tokens(RANKS_OF[self.current[seat]]) if in_packet else [],
            "hands": held,
            "hand_number": self.hand_number,
            "trick_number": len(self.tricks),
            "attempt_number": len(self.attempts),
            "cancelling": self.cancelling,
            "last_winner": None if self.last_winner == NOBODY else self.last_winner,
            "attempts": [tokens(cards) for cards in self.attempts],
            "tricks": [[None if winner == NOBODY else winner, *map(tokens, shown)] for winner, shown in self.tricks],
            "piles": piles,
            "discards": discards,
            "scores": list(self.totals),
        }

    def _spent(self) -> tuple[list[list[str]], list[list[str]]]:
        """Return the cards of the trick piles and of the discard piles, by seat."""
        piles: list[list[str]] = [[] for _ in range(self.players)]
        discards: list[list[str]] = [[] for _ in range(self.players)]
        for winner, attempts in self.tricks:
            for seat, card in enumerate(attempts[-1]):
                (piles if seat == winner else discards)[seat].append(TOKENS[card])
        return piles, discards

    def key(self) -> Hashable:
        now = (self.phase, self.hand_number, self.seat, self.last_winner, *self.chosen)
        return now, self.current, self.aside, self.untried, self.totals, (*self.taken,)

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.game, copy.events, copy.seat, copy.boards = self.game, None, self.seat, self.boards
        copy.players, copy.phase, copy.totals = self.players, self.phase, self.totals
        copy.hand_number, copy.last_winner = self.hand_number, self.last_winner
        copy.aside, copy.current, copy.untried = self.aside, self.current, self.untried
        copy.chosen, copy.attempts, copy.tricks = self.chosen[:], self.attempts[:], self.tricks[:]
        copy.taken = self.taken[:]
        return copy
