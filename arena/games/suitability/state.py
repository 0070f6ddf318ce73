"""A position of Suitability."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Self

from arena.games.base import CHANCE, OVER, Board, State
from arena.games.cards import BIT, CARD_ROWS, CARDS, INDEX, SUIT_OF, TOKEN_ROWS, Card, make_rows, make_token_rows, split
from arena.games.events import Event, Json
from arena.games.suitability import telling
from arena.games.suitability.auction import PLAIN, opening
from arena.games.suitability.rules import FIRST_NOMINATION, JOKER, Deal, deal_score

if TYPE_CHECKING:
    from arena.games.suitability.game import Suitability

CLUBS, DIAMONDS, HEARTS, SPADES, JOKERS = CARD_ROWS
UNSET: Final = -1
UNBEATABLE: Final = 1 << 10
"""The power of a joker that is led."""
new: Final = object.__new__


class SuitabilityState(State):
    """A position of Suitability.

    `hands`, `played` and `taken` belong to this state. All else that it points at is shared with its clones and views,
    and replaced where it changes.
    """

    __slots__ = (
        "at_stake", "auction", "best", "exchange", "hands", "leader", "led", "next", "penalties", "phase", "played",
        "power", "taken", "told", "totals", "turn_up",
    )  # fmt: skip

    game: "Suitability"

    def __init__(self, game: "Suitability", events: list[Event] | None = None) -> None:
        players, dealer = game.players, game.options["first_dealer"]
        self.game = game
        self.events = events
        self.seat = CHANCE
        self.boards = 0
        self.phase = "deal"
        self.next = game.next
        self.totals: tuple[int, ...] = (0,) * players
        self.auction = opening(players, dealer)
        self.leader = self.next[dealer]
        self.hands = [0] * 5 * players
        """Five masks per seat: clubs, diamonds, hearts, spades, jokers."""
        self.turn_up: Card | None = None
        self.exchange: tuple[int, Card] | None = None
        self.taken = [0] * players
        self.penalties = [0] * players
        self.played: list[int] = []
        """The tricks of this deal, one after another: the leader's seat, then the cards in order of play."""
        self.told: tuple[tuple[int | str, ...], ...] = ()
        """The first of the finished tricks in words, as far as somebody has asked."""
        self.best = self.led = UNSET
        """The highest power in the trick, plus the seat that played it; and the suit that must be followed, if any."""
        self.power: tuple[int, ...] = ()
        """The power of each card in the trick, a multiple of 8."""
        self.at_stake = 0
        """Penalty cards in the trick."""

    # Chance

    def deal(self, board: Board) -> None:
        assert isinstance(board, Deal)  # noqa: S101 - narrows the opaque type
        if not CLUBS:
            make_rows()
        game = self.game
        players = game.players
        dealer = (game.options["first_dealer"] + self.boards) % players
        self.boards += 1
        self.auction = auction = opening(players, dealer)
        self.phase = auction.phase
        self.seat = auction.speakers[0]
        self.leader = leader = self.next[dealer]
        self.hands = [mask for hand in board.hands for mask in split(hand)]
        self.turn_up = CARDS[board.turn_up] if board.turn_up >= 0 else None
        self.exchange = None
        self.taken = [0] * players
        self.penalties = [0] * players
        self.played = [leader]
        self.told = ()
        if self.events is not None:
            telling.tell_deal(self, self.events, dealer)

    # Moves

    def legal(self, seat: int) -> Sequence[int]:
        hands, led, at = self.hands, self.led, 5 * seat
        if led >= 0:
            following = hands[at + led]
            if following:
                return CARD_ROWS[led][following]
        elif self.phase != "play":
            return self.auction.legal
        return CLUBS[hands[at]] + DIAMONDS[hands[at + 1]] + HEARTS[hands[at + 2]] + SPADES[hands[at + 3]]

    def apply(self, action: int) -> None:
        if action >= FIRST_NOMINATION:
            self._say(action)
            return
        seat, suit, auction = self.seat, SUIT_OF[action], self.auction
        self.hands[5 * seat + suit] ^= BIT[action]
        self.played.append(action)
        if suit == auction.penalty:
            self.at_stake += 1
        best = self.best
        if best >= 0:
            power = self.power[action] + seat
            if power > best:
                self.best = power
        elif suit < JOKER:
            self.led = suit
            self.power = powers = auction.powers[suit]
            self.best = powers[action] + seat
        else:
            self.power = auction.powers[JOKER]
            self.best = UNBEATABLE + seat
        if self.events is not None:
            telling.tell_play(self.events, seat, action)
        self.seat = seat = self.next[seat]
        if seat == self.leader:
            self._end_trick()

    def _end_trick(self) -> None:
        winner, stake = self.best & 7, self.at_stake
        self.taken[winner] += 1
        if stake:
            self.at_stake = 0
            self.penalties = penalties = self.penalties[:]
            penalties[winner] += stake
        if self.events is not None:
            telling.tell_trick(self, self.events, winner, stake)
        self.best = self.led = UNSET
        if len(self.played) == self.game.length:
            self._end_deal()
        else:
            self.seat = self.leader = winner
            self.played.append(winner)

    def _end_deal(self) -> None:
        scores = [*map(deal_score, self.taken, self.penalties, self.auction.claims)]
        self.totals = tuple(map(int.__add__, self.totals, scores))
        options = self.game.options
        over = self.boards == options["deals"] if options["deals"] else max(self.keys()) >= options["points"]
        self.phase, self.seat = ("over", OVER) if over else ("deal", CHANCE)
        if self.events is not None:
            telling.tell_scores(self, self.events, scores)

    def _say(self, action: int) -> None:
        before, self.auction = self.auction, self.auction.then(action)
        self.phase = self.auction.phase
        if self.events is not None:
            telling.tell_saying(self.events, before, self.auction)
        if before.phase == "nominate" != self.phase and self.turn_up:
            self._exchange(INDEX[self.turn_up])
        self.seat = self.leader if self.phase == "play" else self.auction.speakers[0]

    def _exchange(self, turn_up: int) -> None:
        """Three players: whoever holds the plain suit's card of the turn-up's rank swaps it for the turn-up."""
        turned, rank = divmod(turn_up, 13)
        plain, bit = self.auction.suits[PLAIN], 1 << rank
        if turned == plain:
            return
        seat = next(seat for seat in range(3) if self.hands[5 * seat + plain] & bit)
        self.hands[5 * seat + plain] ^= bit
        self.hands[5 * seat + turned] ^= bit
        self.exchange = (seat, CARDS[13 * plain + rank])
        if self.events is not None:
            telling.tell_exchange(self.events, self.exchange, CARDS[turn_up])

    # Results

    def scores(self) -> list[int]:
        return list(self.totals)

    def keys(self) -> list[Json]:
        if not self.game.options["partnership"]:
            return list(self.totals)
        even, odd = self.totals[0] + self.totals[2], self.totals[1] + self.totals[3]
        return [even, odd, even, odd]

    # What is known

    def hand(self, seat: int) -> list[str]:
        """The tokens of the cards that a seat holds, in canonical order."""
        hands, at = self.hands, 5 * seat
        clubs, diamonds, hearts, spades, jokers = TOKEN_ROWS
        if not clubs:
            make_token_rows()
        return [
            *clubs[hands[at]],
            *diamonds[hands[at + 1]],
            *hearts[hands[at + 2]],
            *spades[hands[at + 3]],
            *jokers[hands[at + 4]],
        ]

    def view(self, seat: int) -> dict[str, Json]:
        auction, played, width = self.auction, self.played, self.game.width
        hand = self.hand(seat)
        done = len(played) // width
        if len(self.told) < done:
            self._tell_tricks(done, width)
        return {
            "seat": seat,
            "phase": self.phase,
            "legal": self._legal_tokens(seat, hand) if seat == self.seat else [],
            "hand": hand,
            "deal": self.boards - 1 if self.boards else 0,
            "dealer": auction.dealer,
            "roles": auction.roles,
            "nominations": auction.nominations,
            "claims": auction.claims,
            "turn_up": self.turn_up,
            "exchange": self.exchange,
            "leader": self.leader,
            "trick": [CARDS[card] for card in played[done * width + 1 :]],
            "tricks": self.told,
            "taken": self.taken[:],
            "penalties": self.penalties,
            "scores": self.totals,
        }

    def _legal_tokens(self, seat: int, hand: list[str]) -> list[str]:
        led = self.led
        if led >= 0:
            following, jokers = self.hands[5 * seat + led], self.hands[5 * seat + 4]
            if following:
                return [*TOKEN_ROWS[led][following], *TOKEN_ROWS[JOKER][jokers]]
        elif self.phase != "play":
            return [*self.auction.choices]
        return hand

    def _tell_tricks(self, done: int, width: int) -> None:
        """Put the finished tricks into words, once each."""
        starts = range(len(self.told) * width, done * width, width)
        tricks = (self.played[start : start + width] for start in starts)
        self.told += tuple((leader, *[CARDS[card] for card in cards]) for leader, *cards in tricks)

    def clone(self) -> Self:
        copy = new(self.__class__)
        copy.game, copy.events = self.game, None
        copy.seat, copy.boards = self.seat, self.boards
        copy.phase, copy.auction = self.phase, self.auction
        copy.next, copy.totals = self.next, self.totals
        copy.turn_up, copy.exchange = self.turn_up, self.exchange
        copy.leader, copy.led = self.leader, self.led
        copy.best, copy.power = self.best, self.power
        copy.at_stake, copy.penalties, copy.told = self.at_stake, self.penalties, self.told
        copy.hands, copy.played, copy.taken = self.hands[:], self.played[:], self.taken[:]
        return copy


class JokerState(SuitabilityState):
    """A position with five players: whoever holds a joker may play it at any time."""

    __slots__ = ()

    def legal(self, seat: int) -> Sequence[int]:
        legal = super().legal(seat)
        return legal if self.phase != "play" else [*legal, *JOKERS[self.hands[5 * seat + 4]]]
