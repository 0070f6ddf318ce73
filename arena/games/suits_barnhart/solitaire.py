"""Positions of the solitaire of Suits."""

from collections.abc import Iterable
from typing import Self

from arena.games.cards import TOKENS
from arena.games.events import played
from arena.games.suits_barnhart import narration
from arena.games.suits_barnhart.rules import PLANS, in_order
from arena.games.suits_barnhart.state import SuitsBarnhartState


class SolitaireState(SuitsBarnhartState):
    """A position in which South plays alone, and the dummies at seats 1 to 3 flip their cards."""

    __slots__ = ("flips",)

    def lay(self, lines: Iterable[bytes]) -> None:
        super().lay(lines)
        self.flips = [*zip(*self.lines[1:], strict=True)]
        """Cards of the dummies by trick."""

    def apply(self, action: int) -> None:
        if self.waiting:
            self.waiting = ()
            self._return(in_order(action))
            return
        left = self.hands[0].copy()
        left.remove(action)
        self.hands = [left]
        end = self.boards - 1 or 4
        self.trick.append(action)
        self.trick += self.flips[len(self.tricks)][: end - 1]
        if self.events is not None:
            self.events.append(played(0, TOKENS[action]))
            narration.narrate_flips(self, self.events, range(1, end))
        self._end_trick()

    def _begin_trick(self) -> None:
        """Draw for South, and flip for the dummies before South."""
        hand, number = self.boards - 1, len(self.tricks)
        self.plan = plan = PLANS[1][hand][number]
        self.hands = [sorted(self.lines[0][plan.draws[0]])]
        self.phase = "play"
        self.seat = 0
        if hand:
            self.trick += self.flips[number][hand - 1 :]
        if self.events is not None:
            narration.narrate_draws(self, self.events)
            narration.narrate_flips(self, self.events, range(hand or 4, 4))

    def _put_back(self) -> None:
        self._return(bytes(self.hands[0]))

    def _return(self, cards: bytes) -> None:
        """Put these cards under the pile."""
        self.lines[0] += cards
        if self.events is not None:
            narration.narrate_returns(self, self.events)
        self._begin_trick()

    def clone(self) -> Self:
        copy = super().clone()
        copy.flips = self.flips
        return copy
