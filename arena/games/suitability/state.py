"""Positions of Suitability."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final, Self

from arena.games.base import CHANCE, OVER, Board, State
from arena.games.cards import BIT, CARD_ROWS, INDEX, SUIT_OF, TOKEN_ROWS, make_rows, make_token_rows, split
from arena.games.events import Event, Json
from arena.games.suitability import narration
from arena.games.suitability.auction import PLAIN, opening
from arena.games.suitability.rules import FIRST_NOMINATION, JOKER, TOKENS, Deal, deal_score

if TYPE_CHECKING:
    from arena.games.suitability.game import Suitability

CLUBS, DIAMONDS, HEARTS, SPADES, JOKERS = CARD_ROWS
UNSET: Final = -1
FIVE_SUITS: Final = tuple(5 * suit for suit in SUIT_OF)
"""Five times the suit number of each card."""
UNBEATABLE: Final = 1 << 10
"""Power of a joker that is led."""
new: Final = object.__new__


class SuitabilityState(State):
    """A position of Suitability.

    `hands` and `played` belong to this state. Everything else is shared with its clones and views, and replaced when it
    changes.
    """

    __slots__ = (
        "at_stake", "auction", "best", "hands", "included", "known", "leader", "led", "next", "penalties", "penalty",
        "played", "power", "rows", "totals",
    )  # fmt: skip

    game: "Suitability"

    def __init__(self, game: "Suitability", events: list[Event] | None = None) -> None:
        players, dealer = game.players, game.options["first_dealer"]
        self.game = game
        self.events = events
        self.seat = CHANCE
        self.boards = 0
        self.next = game.next
        self.totals: tuple[int, ...] = (0,) * players
        self.auction = opening(players, dealer)
        self.leader = self.next[dealer]
        self.hands = [0] * 25
        """Mask of the cards of a suit that a seat holds, at ``5 * suit + seat``."""
        self.penalty = UNSET
        """Five times the penalty suit, during play."""
        self.penalties = [0] * players
        self.played: list[int] = []
        """Tricks of this deal, one after another: the leader's seat, then the cards in order of play.

        The winner of a trick leads the next, so the last winner stands at the end like the leader of another trick.
        """
        self.known: dict[str, Json] | None = None
        """Public part of all views, or None if it must be rebuilt."""
        self.included = 0
        """Number of entries of `played` that `known` includes."""
        self.led = UNSET
        """Five times the suit that must be followed, if any."""
        self.rows = CLUBS
        """Cards of the led suit by mask."""
        self.power: tuple[int, ...] = ()
        """Power of each card in the trick, a multiple of 8."""
        self.best = UNSET
        """Highest power in the trick, plus the seat that played it."""
        self.at_stake = 0
        """Number of penalty cards in the trick."""

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

    # Moves

    def legal(self, seat: int) -> Sequence[int]:
        led = self.led
        if led >= 0:
            following = self.hands[led + seat]
            if following:
                return self.rows[following]
        elif self.penalty < 0:
            return self.auction.legal
        hands = self.hands
        return CLUBS[hands[seat]] + DIAMONDS[hands[5 + seat]] + HEARTS[hands[10 + seat]] + SPADES[hands[15 + seat]]

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
            narration.narrate_play(self.events, seat, action)
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
        if len(self.played) > self.game.length:
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

    @property
    def phase(self) -> str:
        """``deal``, ``nominate``, ``privilege``, ``play`` or ``over``."""
        if self.seat < 0:
            return "over" if self.seat == OVER else "deal"
        return self.auction.phase

    # Results

    def scores(self) -> list[int]:
        return list(self.totals)

    def keys(self) -> list[Json]:
        if not self.game.options["partnership"]:
            return list(self.totals)
        even, odd = self.totals[0] + self.totals[2], self.totals[1] + self.totals[3]
        return [even, odd, even, odd]

    # View

    @property
    def taken(self) -> list[int]:
        """Tricks won in this deal, by seat."""
        width = self.game.width
        winners = self.played[width::width]
        return [*map(winners.count, range(self.game.players))]

    def hand(self, seat: int) -> list[str]:
        """Return the tokens of the cards that a seat holds, in canonical order."""
        clubs, diamonds, hearts, spades, _ = TOKEN_ROWS
        if not clubs:
            make_token_rows()
        hands = self.hands
        return [
            *clubs[hands[seat]],
            *diamonds[hands[5 + seat]],
            *hearts[hands[10 + seat]],
            *spades[hands[15 + seat]],
        ]

    def view(self, seat: int) -> dict[str, Json]:
        known = self.known or self._make_known()
        if self.included < len(self.played):
            known = self._update_known(known)
        view = known.copy()
        view["seat"] = seat
        view["hand"] = hand = self.hand(seat)
        if seat == self.seat:
            view["legal"] = self._legal_tokens(seat, hand)
        return view

    def _make_known(self) -> dict[str, Json]:
        auction = self.auction
        self.included = 1
        self.known = {
            "seat": 0,
            "phase": self.phase,
            "legal": [],
            "hand": [],
            "deal": max(0, self.boards - 1),
            "dealer": auction.dealer,
            "roles": auction.roles,
            "nominations": auction.nominations,
            "claims": auction.claims,
            "turn_up": None,
            "exchange": None,
            "leader": self.played[0] if self.played else self.leader,
            "trick": [],
            "tricks": (),
            "taken": [0] * self.game.players,
            "penalties": self.penalties,
            "scores": self.totals,
        }
        return self.known

    def _update_known(self, known: dict[str, Json]) -> dict[str, Json]:
        """Update `known` to the last card played. Lists in it are replaced, not changed, because views hold them."""
        self.known = known = known.copy()
        trick, players = [*known["trick"]], self.game.players
        for entry in self.played[self.included :]:
            if len(trick) < players:
                trick.append(TOKENS[entry])
            else:
                self._narrate_trick(known, trick, entry)
                trick = []
        known["trick"] = trick
        self.included = len(self.played)
        return known

    def _narrate_trick(self, known: dict[str, Json], trick: list[str], winner: int) -> None:
        known["tricks"] += ((known["leader"], *trick),)
        known["taken"] = taken = [*known["taken"]]
        taken[winner] += 1
        known["penalties"] = self.penalties
        known["leader"] = winner

    def _legal_tokens(self, seat: int, hand: list[str]) -> list[str]:
        led = self.led
        if led >= 0:
            following = self.hands[led + seat]
            if following:
                return [*TOKEN_ROWS[led // 5][following]]
        elif self.penalty < 0:
            return [*self.auction.choices]
        return hand

    def key(self) -> Hashable:
        auction = self.auction
        said = (auction.dealer, auction.speakers, auction.claims, *sorted(auction.suits.items()))
        now = (self.boards, self.seat, self.leader, *self.trick(), *self.hands)
        return said, now, self.totals, *self.taken, *self.penalties

    def trick(self) -> list[int]:
        """Return the cards of the current trick in order of play."""
        width = self.game.width
        return self.played[(len(self.played) - 1) // width * width + 1 :]

    def clone(self) -> Self:
        copy = new(self.__class__)
        copy.game, copy.events = self.game, None
        copy.seat, copy.boards = self.seat, self.boards
        copy.auction, copy.next, copy.totals = self.auction, self.next, self.totals
        copy.leader, copy.led = self.leader, self.led
        copy.best, copy.power = self.best, self.power
        copy.rows, copy.penalty, copy.at_stake = self.rows, self.penalty, self.at_stake
        copy.penalties, copy.included, copy.known = self.penalties, self.included, self.known
        copy.hands, copy.played = self.hands[:], self.played[:]
        return copy


class TurnUpState(SuitabilityState):
    """A position with three players: a card is turned up, and a seat may have to exchange a card for it."""

    __slots__ = ("exchange", "turn_up")

    def __init__(self, game: "Suitability", events: list[Event] | None = None) -> None:
        super().__init__(game, events)
        self.turn_up: str | None = None
        self.exchange: tuple[int, str] | None = None

    def deal(self, board: Board) -> None:
        assert isinstance(board, Deal)  # noqa: S101 - narrows the opaque type
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
