"""Moves of Suit Yourself."""

from typing import Final

from arena.games.base import CHANCE, OVER
from arena.games.cards import BIT, SUIT_OF, make_rows, split
from arena.games.suit_yourself import narration, playouts
from arena.games.suit_yourself.position import CLUBS, TRICK, SuitYourselfPosition
from arena.games.suit_yourself.rules import (
    FOOT,
    LEFT,
    MAX_ROUNDS,
    PLAYERS,
    ROUND_TRICKS,
    SUIT_COUNT,
    TWO_OF_CLUBS,
    Hands,
    round_scores,
)

LENGTH: Final = TRICK * ROUND_TRICKS
"""Length of `played` when all tricks are finished, without the last winner."""


class SuitYourselfState(SuitYourselfPosition):
    """A position of Suit Yourself and its moves."""

    __slots__ = ()

    trick_play = playouts.trick_play

    def deal(self, board: Hands) -> None:
        if not CLUBS:
            make_rows()
        self._clear()
        self.boards += 1
        self.hands = [mask for hand in board for mask in split(hand)[:4]]
        self.phase = "bid"
        self.seat = 0
        if self.events is not None:
            narration.narrate_deal(self, self.events)

    def apply(self, action: int) -> None:
        if self.phase != "play":
            self._choose(action)
            return
        seat, suit = self.seat, SUIT_OF[action]
        self.hands[4 * seat + suit] ^= BIT[action]
        self.played.append(action)
        self.ladder = self.ladder.after[suit]
        if self.events is not None:
            narration.narrate_play(self, self.events)
        self.seat = seat = LEFT[seat]
        if seat == self.leader:
            self._end_trick()

    def _choose(self, card: int) -> None:
        """Record a choice in a simultaneous step; the last one completes the step."""
        chosen = self.pending
        chosen.append(card)
        if len(chosen) < PLAYERS:
            self.seat += 1
            return
        self.pending = []
        self.known = {}
        self.seat = 0
        for seat, card in enumerate(chosen):
            self.hands[4 * seat + SUIT_OF[card]] ^= BIT[card]
        if self.phase == "pass":
            self._pass(tuple(chosen))
        else:
            self._bid(tuple(chosen))

    def _bid(self, cards: tuple[int, ...]) -> None:
        self.bids += (cards,)
        if self.events is not None:
            narration.narrate_bids(self, self.events)
        if self.phase == "bid":
            self.phase = "pass"
        else:
            self._begin_play()

    def _pass(self, cards: tuple[int, ...]) -> None:
        self.passes += (cards,)
        if self.events is not None:
            narration.narrate_passes(self, self.events)
        if len(self.passes) == PLAYERS - 1:
            self._take_up()

    def _take_up(self) -> None:
        for distance, cards in enumerate(self.passes, 1):
            for giver, card in enumerate(cards):
                self.hands[4 * ((giver + distance) % PLAYERS) + SUIT_OF[card]] ^= BIT[card]
        self.phase = "second_bid"
        if self.events is not None:
            narration.narrate_taking_up(self, self.events)

    def _begin_play(self) -> None:
        self.phase = "play"
        bidders = [cards.index(TWO_OF_CLUBS) for cards in self.bids if TWO_OF_CLUBS in cards]
        holders = [seat for seat in range(PLAYERS) if self.hands[4 * seat] & BIT[TWO_OF_CLUBS]]
        self.seat = self.leader = self.opener = (bidders + holders)[0]
        self.played.append(self.leader)
        if self.events is not None:
            narration.narrate_two_of_clubs(self, self.events)

    def _end_trick(self) -> None:
        trick, power = self.played[-PLAYERS:], self.ladder.power
        one, two, three, four = trick
        powers = (power[one], power[two], power[three], power[four])
        winner = (self.leader + powers.index(max(powers))) % PLAYERS
        self.taken[winner] += SUIT_COUNT[one] + SUIT_COUNT[two] + SUIT_COUNT[three] + SUIT_COUNT[four]
        self.ladder = FOOT
        self.seat = self.leader = winner
        if self.events is not None:
            narration.narrate_trick(self, self.events, trick)
        self.played.append(winner)
        if len(self.played) > LENGTH:
            self._end_round()

    def _end_round(self) -> None:
        self.known = {}
        self.last_points, self.last_won = round_scores(self.bids, self.taken)
        self.totals = tuple(map(int.__add__, self.totals, self.last_points))
        over = max(self.totals) >= self.game.options["target"] or self.boards == MAX_ROUNDS
        self.phase, self.seat = ("over", OVER) if over else ("deal", CHANCE)
        if self.events is not None:
            narration.narrate_scores(self, self.events)
