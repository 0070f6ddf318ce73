"""A position of Suitability, and the knowledge of its seats."""

from collections.abc import Hashable, Sequence
from typing import Final, Self

from arena.games.base import OVER, Game, State
from arena.games.cards import CARD_ROWS, TOKEN_ROWS, make_token_rows
from arena.games.events import Event, Json
from arena.games.suitability.auction import opening
from arena.games.suitability.rules import TABLES, TOKENS

CLUBS, DIAMONDS, HEARTS, SPADES, JOKERS = CARD_ROWS
UNSET: Final = -1
NEXT: Final = {players: (*range(1, players), 0) for players in TABLES}
"""Left neighbour of each seat, by number of players."""
new: Final = object.__new__


class SuitabilityPosition(State):
    """A position of Suitability, without its moves.

    `hands` and `played` belong to this state. Everything else is shared with its clones and views, and replaced when it
    changes.
    """

    __slots__ = (
        "at_stake", "auction", "best", "hands", "included", "known", "leader", "led", "next", "penalties", "penalty",
        "played", "power", "rows", "totals",
    )  # fmt: skip

    def __init__(self, game: Game, events: list[Event] | None = None) -> None:
        super().__init__(game, events)
        players, dealer = game.players, game.options["first_dealer"]
        self.next = NEXT[players]
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

    @property
    def phase(self) -> str:
        """``deal``, ``nominate``, ``privilege``, ``play`` or ``over``."""
        if self.seat < 0:
            return "over" if self.seat == OVER else "deal"
        return self.auction.phase

    def scores(self) -> list[int]:
        return list(self.totals)

    def keys(self) -> list[Json]:
        if not self.game.options["partnership"]:
            return super().keys()
        even, odd = self.totals[0] + self.totals[2], self.totals[1] + self.totals[3]
        return [even, odd, even, odd]

    @property
    def taken(self) -> list[int]:
        """Tricks won in this deal, by seat."""
        width = 1 + self.game.players
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
        width = 1 + self.game.players
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
