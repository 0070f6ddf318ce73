"""A position of Suits, and the knowledge of its seats."""

from collections.abc import Hashable, Sequence
from typing import Self

from arena.games.base import Game, State
from arena.games.events import Event, Json
from arena.games.spanish import TOKENS
from arena.games.suits_steere.rules import LEFT, PLAYERS


class SuitsSteerePosition(State):
    """A position of Suits, without its moves."""

    __slots__ = ("dealer", "hands", "leader", "phase", "taken", "tie_break", "totals", "trick", "tricks", "winner")

    def __init__(self, game: Game, events: list[Event] | None = None) -> None:
        super().__init__(game, events)
        self.phase = "deal"
        self.dealer = game.options["first_dealer"]
        self.leader = LEFT[self.dealer]
        self.hands: list[list[int]] = [[], [], []]
        """Cards by seat, in ascending order; a hand is replaced, never changed, because clones share it."""
        self.trick: list[int] = []
        self.tricks: list[tuple[int, ...]] = []
        """Finished tricks of this hand: the leader, then the cards in order of play."""
        self.taken = [0] * PLAYERS
        """Tricks won in this hand."""
        self.totals = [0] * PLAYERS
        """Tricks won in the match."""
        self.tie_break: tuple[int, ...] = ()
        self.winner = -1
        """Winner of the tie-break; -1 if there was none."""

    def legal(self, seat: int) -> Sequence[int]:
        return self.hands[seat]

    def tied(self) -> list[int]:
        """Return the seats with the most tricks."""
        most = max(self.totals)
        return [seat for seat, total in enumerate(self.totals) if total == most]

    def scores(self) -> list[int]:
        return self.totals.copy()

    def keys(self) -> list[Json]:
        return [(total, seat == self.winner) for seat, total in enumerate(self.totals)]

    def view(self, seat: int) -> dict[str, Json]:
        card = TOKENS.__getitem__
        hand = [*map(card, self.hands[seat])]
        return {
            "seat": seat,
            "phase": self.phase,
            "legal": hand.copy() if seat == self.seat else [],
            "hand": hand,
            "hands": self.game.options["hands"],
            "hand_number": max(0, min(self.boards, self.game.options["hands"]) - 1),
            "dealer": self.dealer,
            "leader": self.leader,
            "trick": [*map(card, self.trick)],
            "tricks": [[trick[0], *map(card, trick[1:])] for trick in self.tricks],
            "taken": self.taken.copy(),
            "scores": self.totals.copy(),
            "tie_break": [*map(card, self.tie_break)] if self.tie_break else None,
        }

    def key(self) -> Hashable:
        hands = tuple(map(tuple, self.hands))
        return self.phase, self.boards, self.seat, self.leader, self.winner, hands, (*self.trick,), (*self.totals,)

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.game, copy.events, copy.seat, copy.boards = self.game, None, self.seat, self.boards
        copy.phase, copy.dealer, copy.leader = self.phase, self.dealer, self.leader
        copy.hands, copy.trick, copy.tricks = self.hands[:], self.trick[:], self.tricks[:]
        copy.taken, copy.totals = self.taken[:], self.totals[:]
        copy.tie_break, copy.winner = self.tie_break, self.winner
        return copy
