"""Moves of Suits."""

from collections.abc import Collection
from operator import getitem
from typing import Final

from arena.games.base import CHANCE, OVER
from arena.games.cards import TOKENS
from arena.games.events import Json, played
from arena.games.suits_barnhart import narration, playouts
from arena.games.suits_barnhart.position import SuitsBarnhartPosition
from arena.games.suits_barnhart.rules import (
    ENOUGH,
    FIRST_ORDER,
    HANDS,
    PAYS,
    PLANS,
    POWER,
    TRICKS,
    Piles,
    in_order,
    solitaire_result,
)

NEXT: Final = (1, 2, 3, 0)
"""Left neighbour of each seat."""


class SuitsBarnhartState(SuitsBarnhartPosition):
    """A position of Suits and its moves, with four players; `SolitaireState` has those of one."""

    __slots__ = ()

    trick_play = playouts.trick_play

    def deal(self, board: Piles) -> None:
        hand = self.boards
        self.boards = hand + 1
        self.lay((*board[4 - hand :], *board[: 4 - hand]))
        self.tricks = []
        self.before = tuple(self.totals)
        if self.events is not None:
            narration.narrate_deal(self, self.events)
        self._begin_trick()

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
            self.events.append(played(seat, TOKENS[action]))
        if len(trick) == 4:
            self._end_trick()

    def _begin_trick(self) -> None:
        """Draw for every player."""
        hand = self.boards - 1
        self.plan = plan = PLANS[self.players][hand][len(self.tricks)]
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

    def extras(self, faulted: Collection[int]) -> dict[str, Json]:
        """Return the solitaire's ``result`` and ``dummy_scores`` (west, north, east); none with four players."""
        if self.players > 1:
            return {}
        result = "loss" if faulted else solitaire_result(self.totals)
        return {"result": result, "dummy_scores": self.totals[1:]}
