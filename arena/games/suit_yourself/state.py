"""A position of Suit Yourself."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Self

from arena.games.base import CHANCE, OVER, Board, State
from arena.games.cards import BIT, CARD_ROWS, CARDS, SUIT_OF, SUITS, TOKEN_ROWS, Card, make_rows, make_token_rows, split
from arena.games.events import Event, Json
from arena.games.suit_yourself import telling
from arena.games.suit_yourself.rules import (
    FOOT,
    LEFT,
    LEVELS,
    MAX_ROUNDS,
    PLAYERS,
    ROUND_TRICKS,
    SUIT_COUNT,
    TWO_OF_CLUBS,
    round_scores,
    suit_counts,
)

if TYPE_CHECKING:
    from arena.games.suit_yourself.game import SuitYourself

CLUBS, DIAMONDS, HEARTS, SPADES, _ = CARD_ROWS
UNSET: Final = -1


class SuitYourselfState(State):
    """A position of Suit Yourself.

    Lists belong to this state; tuples are shared with its clones, and replaced where they change.
    """

    __slots__ = (
        "bids", "hands", "ladder", "last_points", "last_won", "leader", "opener", "passes", "pending", "phase",
        "taken", "told", "totals", "trick", "tricks",
    )  # fmt: skip

    game: "SuitYourself"

    def __init__(self, game: "SuitYourself", events: list[Event] | None = None) -> None:
        self.game = game
        self.events = events
        self.seat = CHANCE
        self.boards = 0
        self.phase = "deal"
        self.totals: tuple[int, ...] = (0,) * PLAYERS
        self.last_points: tuple[int, ...] = (0,) * PLAYERS
        """Points in the round that was finished last, by seat."""
        self.last_won: tuple[int, ...] = (0,) * PLAYERS
        """Bids won in that round, by seat."""
        self.hands = [0] * 4 * PLAYERS
        """Four masks per seat: clubs, diamonds, hearts, spades."""
        self._clear()

    def _clear(self) -> None:
        self.pending: list[int] = []
        """What seats 0, 1, … have chosen in a simultaneous step that is not complete."""
        self.bids: tuple[tuple[int, ...], ...] = ()
        """First bids and second bids, by seat, as soon as all four lie."""
        self.passes: tuple[tuple[int, ...], ...] = ()
        """The cards passed to the left, across and to the right, by giver, as soon as all four are chosen."""
        self.opener = self.leader = UNSET
        """Who showed the two of clubs; who leads, or led, the current trick."""
        self.trick: list[int] = []
        self.ladder = FOOT
        self.tricks: list[tuple[int, list[int]]] = []
        """Finished tricks of this round: the leader, and the cards in order of play."""
        self.told: tuple[tuple[int | str, ...], ...] = ()
        """The first of them in words, as far as somebody has asked."""
        self.taken = [0] * PLAYERS
        """Cards taken in tricks, by seat, as packed counts by suit (`suit_counts`)."""

    # Chance

    def deal(self, board: Board) -> None:
        assert isinstance(board, tuple)  # noqa: S101 - narrows the opaque type
        if not CLUBS:
            make_rows()
        self._clear()
        self.boards += 1
        self.hands = [mask for hand in board for mask in split(hand)[:4]]
        self.phase = "bid"
        self.seat = 0
        if self.events is not None:
            telling.tell_deal(self, self.events)

    # Moves

    def actors(self) -> tuple[int, ...]:
        if self.seat < 0 or self.phase == "play":
            return super().actors()
        return tuple(range(self.seat, PLAYERS))

    def legal(self, seat: int) -> Sequence[int]:
        hands, at = self.hands, 4 * seat
        for suit in self.ladder.suits:
            following = hands[at + suit]
            if following:
                return CARD_ROWS[suit][following]
        return CLUBS[hands[at]] + DIAMONDS[hands[at + 1]] + HEARTS[hands[at + 2]] + SPADES[hands[at + 3]]

    def apply(self, action: int) -> None:
        if self.phase != "play":
            self._choose(action)
            return
        seat, suit = self.seat, SUIT_OF[action]
        self.hands[4 * seat + suit] ^= BIT[action]
        self.trick.append(action)
        self.ladder = self.ladder.after[suit]
        if self.events is not None:
            telling.tell_play(self, self.events)
        self.seat = seat = LEFT[seat]
        if seat == self.leader:
            self._end_trick()

    def _choose(self, card: int) -> None:
        """A choice in a simultaneous step; the last one completes the step."""
        chosen = self.pending
        chosen.append(card)
        if len(chosen) < PLAYERS:
            self.seat += 1
            return
        self.pending = []
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
            telling.tell_bids(self, self.events)
        if self.phase == "bid":
            self.phase = "pass"
        else:
            self._begin_play()

    def _pass(self, cards: tuple[int, ...]) -> None:
        self.passes += (cards,)
        if self.events is not None:
            telling.tell_passes(self, self.events)
        if len(self.passes) == PLAYERS - 1:
            self._take_up()

    def _take_up(self) -> None:
        for distance, cards in enumerate(self.passes, 1):
            for giver, card in enumerate(cards):
                self.hands[4 * ((giver + distance) % PLAYERS) + SUIT_OF[card]] ^= BIT[card]
        self.phase = "second_bid"
        if self.events is not None:
            telling.tell_taking_up(self, self.events)

    def _begin_play(self) -> None:
        self.phase = "play"
        bidders = [cards.index(TWO_OF_CLUBS) for cards in self.bids if TWO_OF_CLUBS in cards]
        holders = [seat for seat in range(PLAYERS) if self.hands[4 * seat] & BIT[TWO_OF_CLUBS]]
        self.seat = self.leader = self.opener = (bidders + holders)[0]
        if self.events is not None:
            telling.tell_two_of_clubs(self, self.events)

    def _end_trick(self) -> None:
        trick, power = self.trick, self.ladder.power
        one, two, three, four = trick
        powers = (power[one], power[two], power[three], power[four])
        winner = (self.leader + powers.index(max(powers))) % PLAYERS
        self.taken[winner] += SUIT_COUNT[one] + SUIT_COUNT[two] + SUIT_COUNT[three] + SUIT_COUNT[four]
        self.tricks.append((self.leader, trick))
        self.trick = []
        self.ladder = FOOT
        self.seat = self.leader = winner
        if self.events is not None:
            telling.tell_trick(self, self.events)
        if len(self.tricks) == ROUND_TRICKS:
            self._end_round()

    def _end_round(self) -> None:
        self.last_points, self.last_won = round_scores(self.bids, self.taken)
        self.totals = tuple(map(int.__add__, self.totals, self.last_points))
        over = max(self.totals) >= self.game.target or self.boards == MAX_ROUNDS
        self.phase, self.seat = ("over", OVER) if over else ("deal", CHANCE)
        if self.events is not None:
            telling.tell_scores(self, self.events)

    # Results

    def scores(self) -> list[int]:
        return list(self.totals)

    def keys(self) -> list[Json]:
        return [*zip(self.totals, self.last_points, self.last_won, strict=True)]

    # What is known

    def hand(self, seat: int) -> list[Card]:
        """The tokens of the cards that a seat holds, in canonical order."""
        if not TOKEN_ROWS[0]:
            make_token_rows()
        masks = self.hands[4 * seat : 4 * seat + 4]
        return [card for suit, mask in enumerate(masks) for card in TOKEN_ROWS[suit][mask]]

    def opened_with_a_bid(self) -> bool:
        """Whether the two of clubs that was shown is a bid."""
        return any(TWO_OF_CLUBS in cards for cards in self.bids)

    def view(self, seat: int) -> dict[str, Json]:
        if len(self.told) < len(self.tricks):
            self._put_tricks_into_words()
        return {
            "seat": seat,
            "phase": self.phase,
            "legal": [CARDS[card] for card in self.legal(seat)] if seat in self.actors() else [],
            "chosen": CARDS[self.pending[seat]] if seat < len(self.pending) else None,
            "hand": self.hand(seat),
            "round": self.boards - 1 if self.boards else 0,
            "passing_to": (seat + len(self.passes) + 1) % PLAYERS if self.phase == "pass" else None,
            "passed": self._passed(seat),
            "received": self._received(seat),
            "bids": self._bids_as_seen(seat),
            "two_of_clubs": {"seat": self.opener, "bid": self.opened_with_a_bid()} if self.opener >= 0 else None,
            "leader": self.leader if self.leader >= 0 else None,
            "levels": self._levels(),
            "trick": [CARDS[card] for card in self.trick],
            "tricks": self.told,
            "taken": [suit_counts(packed) for packed in self.taken],
            "scores": self.totals,
            "last_points": self.last_points,
            "last_won": self.last_won,
        }

    def _passed(self, seat: int) -> list[tuple[int, Card]]:
        """(recipient, card)."""
        return [((seat + distance) % PLAYERS, CARDS[cards[seat]]) for distance, cards in enumerate(self.passes, 1)]

    def _received(self, seat: int) -> list[tuple[int, Card]]:
        """(giver, card); nothing before all cards are passed."""
        if len(self.passes) < PLAYERS - 1:
            return []
        givers = [(seat - distance) % PLAYERS for distance in range(1, PLAYERS)]
        return [(giver, CARDS[cards[giver]]) for giver, cards in zip(givers, self.passes, strict=True)]

    def _bids_as_seen(self, seat: int) -> list[list[Card | None]]:
        """By bidder; None for a bid that lies face down before another seat."""
        turned = self.phase in ("deal", "over")
        shown = TWO_OF_CLUBS if self.opener >= 0 else UNSET
        return [
            [CARDS[card] if turned or bidder == seat or card == shown else None for card in laid]
            for bidder, laid in enumerate(zip(*self.bids, strict=True) if self.bids else [()] * PLAYERS)
        ]

    def _levels(self) -> dict[str, str | None]:
        levels: dict[str, str | None] = dict.fromkeys(LEVELS)
        for level, suit in zip(LEVELS, self.ladder.suits, strict=False):
            levels[level] = SUITS[suit]
        return levels

    def _put_tricks_into_words(self) -> None:
        new = self.tricks[len(self.told) :]
        self.told += tuple((leader, *[CARDS[card] for card in trick]) for leader, trick in new)

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.game, copy.events, copy.seat, copy.boards = self.game, None, self.seat, self.boards
        copy.phase, copy.opener, copy.leader, copy.ladder = self.phase, self.opener, self.leader, self.ladder
        copy.totals, copy.last_points, copy.last_won = self.totals, self.last_points, self.last_won
        copy.bids, copy.passes, copy.told = self.bids, self.passes, self.told
        copy.hands, copy.pending, copy.taken = self.hands[:], self.pending[:], self.taken[:]
        copy.trick, copy.tricks = self.trick[:], self.tricks[:]
        return copy
