"""A position of Suit Yourself, and the knowledge of its seats."""

from collections.abc import Hashable, Sequence
from typing import Final, Self

from arena.games.base import Game, State
from arena.games.cards import CARD_ROWS, TOKEN_ROWS, TOKENS, make_token_rows
from arena.games.events import Event, Json
from arena.games.suit_yourself.rules import FOOT, NO_COUNTS, PLAYERS, TWO_OF_CLUBS, suit_counts

CLUBS, DIAMONDS, HEARTS, SPADES, _ = CARD_ROWS
UNSET: Final = -1
TRICK: Final = 1 + PLAYERS
"""Number of entries of a trick in `played`."""
new: Final = object.__new__


class SuitYourselfPosition(State):
    """A position of Suit Yourself, without its moves.

    `hands`, `pending`, `played` and `taken` belong to this state. Everything else is shared with its clones and views,
    and replaced when it changes.
    """

    __slots__ = (
        "bids", "counts", "hands", "known", "ladder", "last_points", "last_won", "leader", "opener", "passes",
        "pending", "phase", "played", "taken", "token_tricks", "totals",
    )  # fmt: skip

    def __init__(self, game: Game, events: list[Event] | None = None) -> None:
        super().__init__(game, events)
        self.phase = "deal"
        self.totals: tuple[int, ...] = (0,) * PLAYERS
        self.last_points: tuple[int, ...] = (0,) * PLAYERS
        """Points in the last finished round, by seat."""
        self.last_won: tuple[int, ...] = (0,) * PLAYERS
        """Bids won in the last finished round, by seat."""
        self.hands = [0] * 4 * PLAYERS
        """Four masks per seat: clubs, diamonds, hearts, spades."""
        self._clear()

    def _clear(self) -> None:
        self.pending: list[int] = []
        """Choices of seats 0, 1, … in an incomplete simultaneous step."""
        self.bids: tuple[tuple[int, ...], ...] = ()
        """First and second bids, by seat, once all four are laid."""
        self.passes: tuple[tuple[int, ...], ...] = ()
        """Cards passed left, across and right, by giver, once all four are chosen."""
        self.opener = self.leader = UNSET
        """Seat that showed the two of clubs; then the leader of the current trick."""
        self.known: dict[int, dict[str, Json]] = {}
        """Cache by seat of the parts of its views about bids and passed cards."""
        self.played: list[int] = []
        """Tricks of this round, one after another: the leader's seat, then the cards in order of play.

        After the last trick its winner stands at the end, like the leader of another trick.
        """
        self.token_tricks: tuple[tuple[int | str, ...], ...] = ()
        """Cache of finished tricks as tokens, up to the latest view."""
        self.ladder = FOOT
        self.taken = [0] * PLAYERS
        """Cards taken in tricks, by seat, as packed counts by suit."""
        self.counts: tuple[tuple[int, ...], ...] = NO_COUNTS
        """Cache of `taken` as lists, as of the tricks in `token_tricks`."""

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

    def scores(self) -> list[int]:
        return list(self.totals)

    def keys(self) -> list[Json]:
        return [*zip(self.totals, self.last_points, self.last_won, strict=True)]

    def hand(self, seat: int) -> list[str]:
        """Return the tokens of the cards that a seat holds, in canonical order."""
        hands, at = self.hands, 4 * seat
        clubs, diamonds, hearts, spades, _ = TOKEN_ROWS
        if not clubs:
            make_token_rows()
        return [*clubs[hands[at]], *diamonds[hands[at + 1]], *hearts[hands[at + 2]], *spades[hands[at + 3]]]

    def trick(self) -> list[int]:
        """Return the cards of the current trick in order of play."""
        return self.played[(len(self.played) - 1) // TRICK * TRICK + 1 :]

    def opened_with_a_bid(self) -> bool:
        """Return whether the two of clubs that was shown is a bid."""
        return any(TWO_OF_CLUBS in cards for cards in self.bids)

    def view(self, seat: int) -> dict[str, Json]:
        hand, pending = self.hand(seat), self.pending
        if len(self.token_tricks) < (len(self.played) - 1) // TRICK:
            self._add_token_tricks()
        if seat not in self.known:
            self.known[seat] = self._bids_and_passes(seat)
        return {
            "seat": seat,
            "phase": self.phase,
            "legal": self._legal_tokens(seat, hand),
            "chosen": TOKENS[pending[seat]] if seat < len(pending) else None,
            "hand": hand,
            "round": self.boards - 1 if self.boards else 0,
            **self.known[seat],
            "two_of_clubs": {"seat": self.opener, "bid": self.opened_with_a_bid()} if self.opener >= 0 else None,
            "leader": self.leader if self.leader >= 0 else None,
            "levels": {**self.ladder.levels},
            "trick": [TOKENS[card] for card in self.trick()],
            "tricks": self.token_tricks,
            "taken": self.counts,
            "scores": self.totals,
            "last_points": self.last_points,
            "last_won": self.last_won,
        }

    def _legal_tokens(self, seat: int, hand: list[str]) -> list[str]:
        if seat != self.seat and (seat < self.seat or self.seat < 0 or self.phase == "play"):
            return []
        for suit in self.ladder.suits:
            following = self.hands[4 * seat + suit]
            if following:
                return [*TOKEN_ROWS[suit][following]]
        return hand

    def _add_token_tricks(self) -> None:
        """Add the tokens of newly finished tricks to the cache."""
        starts = range(len(self.token_tricks) * TRICK, len(self.played) - TRICK, TRICK)
        tricks = (self.played[start : start + TRICK] for start in starts)
        self.token_tricks += tuple((leader, *[TOKENS[card] for card in cards]) for leader, *cards in tricks)
        self.counts = tuple(map(suit_counts, self.taken))

    def _bids_and_passes(self, seat: int) -> dict[str, Json]:
        distances = range(1, 1 + len(self.passes))
        to = [(seat + distance) % PLAYERS for distance in distances]
        by = [(seat - distance) % PLAYERS for distance in distances] if len(self.passes) == PLAYERS - 1 else []
        return {
            "passing_to": (seat + len(to) + 1) % PLAYERS if self.phase == "pass" else None,
            "passed": tuple((other, TOKENS[cards[seat]]) for other, cards in zip(to, self.passes, strict=True)),
            "received": tuple((other, TOKENS[cards[other]]) for other, cards in zip(by, self.passes, strict=False)),
            "bids": tuple(
                tuple(self._bid_as_seen(laid[bidder], bidder, seat) for laid in self.bids) for bidder in range(PLAYERS)
            ),
        }

    def _bid_as_seen(self, card: int, bidder: int, seat: int) -> str | None:
        """Return a bid as seen by a seat; None if it lies face down before another."""
        shown = card == TWO_OF_CLUBS and self.opener >= 0
        return TOKENS[card] if shown or seat == bidder or self.phase in ("deal", "over") else None

    def key(self) -> Hashable:
        now = (self.phase, self.boards, self.seat, self.leader, self.opener, *self.trick(), *self.taken)
        ties = (self.totals, self.last_points, self.last_won)
        return now, ties, self.bids, self.passes, (*self.pending,), (*self.hands,)

    def clone(self) -> Self:
        copy = new(self.__class__)
        copy.game, copy.events = self.game, None
        copy.seat, copy.boards = self.seat, self.boards
        copy.phase, copy.ladder = self.phase, self.ladder
        copy.opener, copy.leader = self.opener, self.leader
        copy.bids, copy.passes, copy.known = self.bids, self.passes, self.known
        copy.totals, copy.last_points, copy.last_won = self.totals, self.last_points, self.last_won
        copy.token_tricks, copy.counts = self.token_tricks, self.counts
        copy.hands, copy.pending = self.hands[:], self.pending[:]
        copy.played, copy.taken = self.played[:], self.taken[:]
        return copy
