"""Moves of Suits."""

from arena.games.base import CHANCE, OVER
from arena.games.events import played
from arena.games.spanish import TOKENS
from arena.games.suits_steere import narration, playouts
from arena.games.suits_steere.position import SuitsSteerePosition
from arena.games.suits_steere.rules import EACH, LEFT, PLAYERS, RIGHT, Deal, TieBreak, best, values


class SuitsSteereState(SuitsSteerePosition):
    """A position of Suits and its moves."""

    __slots__ = ()

    trick_play = playouts.trick_play

    def deal(self, board: Deal | TieBreak) -> None:
        self.boards += 1
        self.dealer = RIGHT[self.leader]
        if isinstance(board, TieBreak):
            self._break_tie(board.cards)
        else:
            self._begin_hand(board)

    def _begin_hand(self, board: Deal) -> None:
        self.hands = [list(hand) for hand in board.hands]
        self.tricks = []
        self.taken = [0] * PLAYERS
        self.phase = "play"
        self.seat = self.leader
        if self.events is not None:
            narration.narrate_deal(self, self.events)

    def _break_tie(self, cards: tuple[int, ...]) -> None:
        """Deal the tie-break cards. All three have values, but only the tied players compare theirs."""
        worth = values(*cards)
        self.tie_break = cards
        self.winner = max(self.tied(), key=worth.__getitem__)
        self.phase, self.seat = "over", OVER
        if self.events is not None:
            narration.narrate_tie_break(self, self.events)

    def apply(self, action: int) -> None:
        seat, hands, trick = self.seat, self.hands, self.trick
        held = hands[seat].copy()
        held.remove(action)
        hands[seat] = held
        trick.append(action)
        if self.events is not None:
            self.events.append(played(seat, TOKENS[action]))
        if len(trick) == PLAYERS:
            self._end_trick()
        else:
            self.seat = LEFT[seat]

    def _end_trick(self) -> None:
        leader, trick = self.leader, self.trick
        self.seat = self.leader = winner = (leader + best(*trick)) % PLAYERS
        self.taken[winner] += 1
        self.totals[winner] += 1
        self.tricks.append((leader, *trick))
        self.trick = []
        if self.events is not None:
            narration.narrate_trick(self, self.events)
        if len(self.tricks) == EACH:
            self._end_hand()

    def _end_hand(self) -> None:
        if self.boards < self.game.options["hands"]:
            self.phase, self.seat = "deal", CHANCE
        elif len(self.tied()) > 1:
            self.phase, self.seat = "tie-break", CHANCE
        else:
            self.phase, self.seat = "over", OVER
        if self.events is not None:
            narration.narrate_scores(self, self.events)
