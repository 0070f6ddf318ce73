"""Moves of Suitability."""

from collections.abc import Hashable, Sequence
from typing import Final, Self

from arena.games.base import CHANCE, OVER, Game
from arena.games.cards import BIT, CARD_ROWS, INDEX, SUIT_OF, TOKEN_ROWS, make_rows, split
from arena.games.events import Event, Json, played
from arena.games.suitability import narration, playouts
from arena.games.suitability.auction import PLAIN, opening
from arena.games.suitability.position import CLUBS, JOKERS, UNSET, SuitabilityPosition
from arena.games.suitability.rules import FIRST_NOMINATION, JOKER, TABLES, TOKENS, Deal, deal_score

FIVE_SUITS: Final = tuple(5 * suit for suit in SUIT_OF)
"""Five times the suit number of each card."""
LENGTH: Final = {players: table.each * (1 + players) for players, table in TABLES.items()}
"""Length of `played` when all tricks are finished, without the last winner, by number of players."""
UNBEATABLE: Final = 1 << 10
"""Power of a joker that is led."""


class SuitabilityState(SuitabilityPosition):
    """A position of Suitability and its moves, with two or four players."""

    __slots__ = ()

    trick_play = playouts.trick_play

    def deal(self, board: Deal) -> None:
        if not CLUBS:
            make_rows()
        game = self.game
        players = game.players
        dealer = (game.options["first_dealer"] + self.boards) % players
        self.boards += 1
        self.auction = auction = opening(players, dealer)
        self.seat = auction.speakers[0]
        self.leader = leader = self.next[dealer]
        self.hands = hands = [0] * 25
        for seat, hand in enumerate(board.hands):
            hands[seat::5] = split(hand)
        self.penalty = UNSET
        self.penalties = [0] * players
        self.played = [leader]
        self.known = None
        if self.events is not None:
            narration.narrate_deal(self, self.events, dealer)

    def apply(self, action: int) -> None:
        if action >= FIRST_NOMINATION:
            self._say(action)
            return
        seat, suit = self.seat, FIVE_SUITS[action]
        self.hands[suit + seat] ^= BIT[action]
        self.played.append(action)
        if suit == self.penalty:
            self.at_stake += 1
        best = self.best
        if best >= 0:
            if self.power[action] > best:
                self.best = self.power[action] + seat
        else:
            lead = SUIT_OF[action]
            self.power = powers = self.auction.powers[lead]
            if lead < JOKER:
                self.led = suit
                self.rows = CARD_ROWS[lead]
                self.best = powers[action] + seat
            else:
                self.best = UNBEATABLE + seat
        if self.events is not None:
            self.events.append(played(seat, TOKENS[action]))
        self.seat = seat = self.next[seat]
        if seat == self.leader:
            self._end_trick()

    def _end_trick(self) -> None:
        winner, stake = self.best & 7, self.at_stake
        self.played.append(winner)
        self.seat = self.leader = winner
        self.best = self.led = UNSET
        if stake:
            self.at_stake = 0
            self.penalties = penalties = self.penalties[:]
            penalties[winner] += stake
        if self.events is not None:
            narration.narrate_trick(self, self.events, winner, stake)
        if len(self.played) > LENGTH[self.game.players]:
            self._end_deal()

    def _end_deal(self) -> None:
        scores = [*map(deal_score, self.taken, self.penalties, self.auction.claims)]
        self.totals = tuple(map(int.__add__, self.totals, scores))
        options = self.game.options
        over = self.boards == options["deals"] if options["deals"] else max(self.keys()) >= options["points"]
        self.seat = OVER if over else CHANCE
        self.known = None
        if self.events is not None:
            narration.narrate_scores(self, self.events, scores)

    def _say(self, action: int) -> None:
        before, self.auction = self.auction, self.auction.then(action)
        self.known = None
        if self.events is not None:
            narration.narrate_auction(self.events, before, self.auction)
        if self.auction.phase == "play":
            self.penalty = self.auction.penalty
            self.seat = self.leader
        else:
            self.seat = self.auction.speakers[0]


class TurnUpState(SuitabilityState):
    """A position with three players: a card is turned up, and a seat may have to exchange a card for it."""

    __slots__ = ("exchange", "turn_up")

    def __init__(self, game: Game, events: list[Event] | None = None) -> None:
        super().__init__(game, events)
        self.turn_up: str | None = None
        self.exchange: tuple[int, str] | None = None

    def deal(self, board: Deal) -> None:
        super().deal(board)
        self.turn_up, self.exchange = TOKENS[board.turn_up], None
        if self.events is not None:
            narration.narrate_turn_up(self.events, self.turn_up)

    def _say(self, action: int) -> None:
        super()._say(action)
        if self.turn_up and self.penalty >= 0:
            self._exchange(*divmod(INDEX[self.turn_up], 13))

    def _exchange(self, turned: int, rank: int) -> None:
        """Exchange the plain suit's card of the turn-up's rank for the turn-up, if a seat holds it."""
        hands, plain, bit = self.hands, self.auction.suits[PLAIN], 1 << rank
        if turned == plain:
            return
        seat = next(seat for seat in range(3) if hands[5 * plain + seat] & bit)
        hands[5 * plain + seat] ^= bit
        hands[5 * turned + seat] ^= bit
        self.exchange = (seat, TOKENS[13 * plain + rank])
        if self.events is not None:
            narration.narrate_exchange(self.events, self.exchange, TOKENS[13 * turned + rank])

    def _make_known(self) -> dict[str, Json]:
        known = super()._make_known()
        known["turn_up"], known["exchange"] = self.turn_up, self.exchange
        return known

    def key(self) -> Hashable:
        return super().key(), self.turn_up

    def clone(self) -> Self:
        copy = super().clone()
        copy.turn_up, copy.exchange = self.turn_up, self.exchange
        return copy


class JokerState(SuitabilityState):
    """A position with five players: a joker may be played at any time."""

    __slots__ = ()

    def legal(self, seat: int) -> Sequence[int]:
        legal = super().legal(seat)
        return legal if self.penalty < 0 else [*legal, *JOKERS[self._jokers(seat)]]

    def hand(self, seat: int) -> list[str]:
        hand = super().hand(seat)
        return [*hand, *TOKEN_ROWS[JOKER][self._jokers(seat)]]

    def _legal_tokens(self, seat: int, hand: list[str]) -> list[str]:
        return [TOKENS[action] for action in self.legal(seat)]

    def _jokers(self, seat: int) -> int:
        return self.hands[5 * JOKER + seat]
