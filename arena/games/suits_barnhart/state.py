"""Positions of Suits."""

from collections.abc import Hashable, Iterable, Sequence
from itertools import permutations
from operator import getitem, sub
from typing import TYPE_CHECKING, Final, Self

from arena.games.base import CHANCE, OVER, Board, State
from arena.games.cards import TOKENS
from arena.games.events import Event, Json
from arena.games.suits_barnhart import narration
from arena.games.suits_barnhart.rules import (
    ENOUGH,
    FIRST_ORDER,
    HANDS,
    ORDERS,
    PAYS,
    POWER,
    SUITS_OF,
    TRICKS,
    in_order,
    token_of,
)

if TYPE_CHECKING:
    from arena.games.suits_barnhart.game import SuitsBarnhart

NEXT: Final = (1, 2, 3, 0)
"""Left neighbour of each seat."""


class SuitsBarnhartState(State):
    """A position of Suits. The solitaire (`SolitaireState`) has four seats too: 1 to 3 are the dummies.

    Items of lists are replaced, never changed, so a clone copies only the lists.
    """

    __slots__ = (
        "before", "chosen", "hands", "lines", "phase", "plan", "players", "totals", "trick", "tricks", "waiting",
    )  # fmt: skip

    game: "SuitsBarnhart"

    def __init__(self, game: "SuitsBarnhart", events: list[Event] | None = None) -> None:
        self.game = game
        self.players = game.players
        self.events = events
        self.seat = CHANCE
        self.boards = 0
        self.phase = "deal"
        self.totals = [0, 0, 0, 0]
        """Points by seat, including dummies."""
        self.before: tuple[int, ...] = (0, 0, 0, 0)
        """Points by seat before this hand."""
        # Before the first board any cards of the right number will do.
        self.lay([bytes(TRICKS)] * 4)
        self.plan = game.plans[0][0]
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

    # Chance

    def deal(self, board: Board) -> None:
        assert isinstance(board, tuple)  # noqa: S101 - narrows the opaque type
        hand = self.boards
        self.boards = hand + 1
        self.lay((*board[4 - hand :], *board[: 4 - hand]))
        self.tricks = []
        self.before = tuple(self.totals)
        if self.events is not None:
            narration.narrate_deal(self, self.events)
        self._begin_trick()

    # Moves

    def actors(self) -> tuple[int, ...]:
        return self.waiting or super().actors()

    def legal(self, seat: int) -> Sequence[int]:
        hand = self.hands[seat]
        return ORDERS[(*hand,)] if self.waiting else hand

    def apply(self, action: int) -> None:
        seat = self.seat
        if action >= FIRST_ORDER:
            self.chosen[seat] = action
            self.waiting = waiting = self.waiting[1:]
            if waiting:
                self.seat = waiting[0]
            else:
                self._put_back()
            return
        self.hands[seat] = left = self.hands[seat].copy()
        left.remove(action)
        trick = self.trick
        trick.append(action)
        self.seat = NEXT[seat]
        if self.events is not None:
            narration.narrate_play(self.events, seat, action)
        if len(trick) == 4:
            self._end_trick()

    def _begin_trick(self) -> None:
        """Draw for every player."""
        hand = self.boards - 1
        self.plan = plan = self.game.plans[hand][len(self.tricks)]
        self.hands = list(map(sorted, map(getitem, self.lines, plan.draws)))
        self.phase = "play"
        self.seat = hand
        if self.events is not None:
            narration.narrate_draws(self, self.events)

    def _end_trick(self) -> None:
        one, two, three, four = trick = self.trick
        best = 0
        for card in trick:  # four comparisons take less time than `max`
            if (power := POWER[card]) > best:
                best = power
        winner = (self.boards + 2 - best) % 4  # with hearts, that is 3, the leader: seat boards - 1
        self.totals[winner] += PAYS[best]
        tricks = self.tricks
        tricks.append((winner, TOKENS[one], TOKENS[two], TOKENS[three], TOKENS[four]))
        self.trick = []
        if self.events is not None:
            narration.narrate_trick(self, self.events)
        if self.players == 1 and self.totals[winner] >= ENOUGH[winner]:
            self._end_hand(over=True)
        elif len(tricks) == TRICKS:
            self._end_hand(over=self.boards == HANDS)
        elif waiting := self.plan.choosers:
            self.phase = "return"
            self.waiting = waiting
            self.seat = waiting[0]
        else:
            self._put_back()

    def _put_back(self) -> None:
        """Put the cards back once all have chosen; a single card needs no choice."""
        lines, chosen = self.lines, self.chosen
        for seat, cards in enumerate(self.hands):
            lines[seat] += in_order(chosen[seat]) if len(cards) > 1 else bytes(cards)
        if self.events is not None:
            narration.narrate_returns(self, self.events)
        self.chosen = [0] * self.players
        self._begin_trick()

    def _end_hand(self, over: bool) -> None:
        self.phase, self.seat = ("over", OVER) if over else ("deal", CHANCE)
        if self.events is not None:
            narration.narrate_hand(self, self.events)

    # Results

    def scores(self) -> list[int]:
        return self.totals[: self.players]

    def keys(self) -> list[Json]:
        return self.totals[: self.players]

    # View

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
