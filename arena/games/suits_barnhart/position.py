"""A position of Suits, and the knowledge of its seats."""

from collections.abc import Hashable, Iterable, Sequence
from itertools import permutations
from operator import sub
from typing import Self

from arena.games.base import Game, State
from arena.games.cards import TOKENS
from arena.games.events import Event, Json
from arena.games.suits_barnhart.rules import ORDERS, PLANS, SUITS_OF, TRICKS, token_of


class SuitsBarnhartPosition(State):
    """A position of Suits, without its moves. The solitaire has four seats too: 1 to 3 are the dummies.

    Items of lists are replaced, never changed, so a clone copies only the lists.
    """

    __slots__ = (
        "before", "chosen", "hands", "lines", "phase", "plan", "players", "totals", "trick", "tricks", "waiting",
    )  # fmt: skip

    def __init__(self, game: Game, events: list[Event] | None = None) -> None:
        super().__init__(game, events)
        self.players = game.players
        self.phase = "deal"
        self.totals = [0, 0, 0, 0]
        """Points by seat, including dummies."""
        self.before: tuple[int, ...] = (0, 0, 0, 0)
        """Points by seat before this hand."""
        # Before the first board any cards of the right number will do.
        self.lay([bytes(TRICKS)] * 4)
        self.plan = PLANS[self.players][0][0]
        self.hands: list[list[int]] = [[] for _ in range(self.players)]
        """Drawn and unplayed cards of each player, ascending."""
        self.trick: list[int] = []
        self.tricks: list[tuple[Json, ...]] = []
        """Finished tricks of this hand, as tokens: the winner, then the cards in order of play."""
        self.waiting: tuple[int, ...] = ()
        """Seats that have yet to choose an order, ascending."""
        self.chosen = [0] * self.players
        """Order that each player chose in this step; 0 if none."""

    @property
    def leader(self) -> int:
        """Seat that has hearts."""
        return max(0, self.boards - 1)

    def lay(self, lines: Iterable[bytes]) -> None:
        """Lay the piles of a hand, by seat."""
        self.lines = [*lines]
        """Cards by seat in the order in which they are drawn: the pile as dealt, then the cards put under it. Nothing
        is removed: a player draws a slice (`TrickPlan`), a dummy flips the next card."""

    def actors(self) -> tuple[int, ...]:
        return self.waiting or super().actors()

    def legal(self, seat: int) -> Sequence[int]:
        hand = self.hands[seat]
        return ORDERS[(*hand,)] if self.waiting else hand

    def scores(self) -> list[int]:
        return self.totals[: self.players]

    def view(self, seat: int) -> dict[str, Json]:
        chosen, leader, piles = self.chosen[seat], self.leader, self.piles()
        drawn = [TOKENS[card] for card in self.hands[seat]]
        return {
            "seat": seat,
            "phase": self.phase,
            "legal": self._legal_tokens(drawn) if seat in self.actors() else [],
            "chosen": token_of(chosen) if chosen else None,
            "drawn": drawn,
            "pile": self._known_pile(seat, piles[seat]),
            "piles": piles,
            "deal": leader,
            "suits": list(SUITS_OF[leader]),
            "leader": leader,
            "trick": [TOKENS[card] for card in self.trick],
            "tricks": self.tricks.copy(),
            "points": self.points(),
            "scores": self.totals.copy(),
        }

    def points(self) -> list[int]:
        """Points in this hand by seat, including dummies."""
        return list(map(sub, self.totals, self.before))

    def _legal_tokens(self, drawn: list[str]) -> list[str]:
        """Return the tokens of `legal`: orders of the drawn cards, or the cards themselves."""
        return [",".join(order) for order in permutations(drawn)] if self.waiting else [*drawn]

    def piles(self) -> list[int]:
        """Return the number of cards in each seat's pile."""
        sizes = [TRICKS - len(self.tricks)] * 4
        for place in range(len(self.trick)):
            sizes[(self.leader + place) % 4] -= 1
        for seat, hand in enumerate(self.hands):
            sizes[seat] -= len(hand)
        return sizes

    def _known_pile(self, seat: int, size: int) -> list[str | None]:
        """Return a player's pile as the player knows it: only cards put back have been seen."""
        line = self.lines[seat]
        at = len(line) - size
        return [None] * (TRICKS - at) + [TOKENS[card] for card in line[max(at, TRICKS) :]]

    def key(self) -> Hashable:
        piles = tuple(line[len(line) - size :] for line, size in zip(self.lines, self.piles(), strict=True))
        hands = tuple(map(tuple, self.hands))
        now = (self.phase, self.boards, self.seat, len(self.tricks), *self.trick, *self.totals)
        return now, piles, hands, (*self.chosen,)

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.game, copy.events, copy.seat, copy.boards = self.game, None, self.seat, self.boards
        copy.players, copy.phase, copy.plan, copy.waiting = self.players, self.phase, self.plan, self.waiting
        copy.totals, copy.lines, copy.hands, copy.chosen = self.totals[:], self.lines[:], self.hands[:], self.chosen[:]
        copy.trick, copy.tricks, copy.before = self.trick[:], self.tricks[:], self.before
        return copy
