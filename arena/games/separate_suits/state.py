"""Moves of Separate Suits."""

from collections.abc import Sequence

from arena.games.base import OVER
from arena.games.cards import BIT
from arena.games.separate_suits import narration, playouts
from arena.games.separate_suits.position import SeparateSuitsPosition
from arena.games.separate_suits.rules import MAX_HANDS, NOBODY, PACKET, cancelling_winner, ordinary_winner


class SeparateSuitsState(SeparateSuitsPosition):
    """A position of Separate Suits and its moves."""

    __slots__ = ()

    trick_play = playouts.trick_play

    def _begin_hand(self) -> None:
        super()._begin_hand()
        if self.events is not None:
            narration.narrate_hand(self, self.events)

    def apply(self, action: int) -> None:
        chosen = self.chosen
        chosen.append(action)
        if len(chosen) < self.players:
            self.seat += 1
            return
        self.chosen = []
        self.seat = 0
        if self.phase == "play":
            self._turn_up(chosen)
        else:
            self._set_aside(chosen)

    def _set_aside(self, cards: list[int]) -> None:
        self.aside = self.untried = _toggled(self.aside, cards)
        self.current = _toggled(self.current, cards)
        if self.current[0].bit_count() == PACKET:
            self.phase = "play"
            self.untried = self.current
            if self.events is not None:
                narration.narrate_packets(self, self.events)

    def _turn_up(self, cards: list[int]) -> None:
        self.attempts.append(cards)
        last = self.last_winner
        # As `cancelling`, without the time of a property.
        cancelling = last == NOBODY or self.game.options["cancel_every_trick"]
        winner = cancelling_winner(cards) if cancelling else ordinary_winner(cards, last)
        if self.events is not None:
            narration.narrate_cards(self, self.events, cards)
        if winner == NOBODY:
            self.untried = _toggled(self.untried, cards)
            if self.untried[0]:
                if self.events is not None:
                    narration.narrate_taken_back(self, self.events, cards)
                return
        self._end_trick(winner, cards)

    def _end_trick(self, winner: int, cards: list[int]) -> None:
        self.tricks.append((winner, self.attempts))
        self.attempts = []
        if winner != NOBODY:
            self.taken[winner] += 1
        if self.events is not None:
            narration.narrate_trick(self, self.events, winner, cards)
        if winner != NOBODY:
            self.last_winner = winner
        left = _toggled(self.current, cards)
        if not left[0]:
            left, self.aside = self.aside, left
        self.current = self.untried = left
        if not left[0]:
            self._end_hand()

    def _end_hand(self) -> None:
        self.totals = tuple([total + taken for total, taken in zip(self.totals, self.taken, strict=True)])
        hands, points = self.game.options["hands"], self.game.options["points"]
        over = self.hand_number + 1 == (hands or MAX_HANDS) or (points is not None and max(self.totals) >= points)
        if over:
            self.phase, self.seat = "over", OVER
        if self.events is not None:
            narration.narrate_scores(self, self.events)
        if not over:
            self.hand_number += 1
            self._begin_hand()


def _toggled(masks: Sequence[int], cards: Sequence[int]) -> tuple[int, ...]:
    """Return the masks of all seats with one card each toggled."""
    return tuple([mask ^ BIT[card] for mask, card in zip(masks, cards, strict=True)])
