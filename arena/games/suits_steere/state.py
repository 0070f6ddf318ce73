"""Positions of Suits, and their events."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Self

from arena.games.base import CHANCE, OVER, Board, State
from arena.games.events import Event, Json
from arena.games.spanish import TOKENS
from arena.games.suits_steere.rules import EACH, LEFT, PLAYERS, RIGHT, Deal, TieBreak, best, values

if TYPE_CHECKING:
    from arena.games.suits_steere.game import SuitsSteere


class SuitsSteereState(State):
    """A position of Suits."""

    __slots__ = ("dealer", "hands", "leader", "phase", "taken", "tie_break", "totals", "trick", "tricks", "winner")

    game: "SuitsSteere"

    def __init__(self, game: "SuitsSteere", events: list[Event] | None = None) -> None:
        self.game = game
        self.events = events
        self.seat = CHANCE
        self.boards = 0
        self.phase = "deal"
        self.dealer = game.options["first_dealer"]
        self.leader = LEFT[self.dealer]
        self.hands: list[list[int]] = [[], [], []]
        """Cards by seat, in ascending order; a hand is replaced, never changed, because clones share it."""
        self.trick: list[int] = []
        self.tricks: list[tuple[int, ...]] = []
        """Finished tricks of this hand: the leader, then the cards in order of play."""
        self.taken = [0] * PLAYERS
        """Tricks won in this hand."""
        self.totals = [0] * PLAYERS
        """Tricks won in the match."""
        self.tie_break: tuple[int, ...] = ()
        self.winner = -1
        """Winner of the tie-break; -1 if there was none."""

    # Chance

    def deal(self, board: Board) -> None:
        self.boards += 1
        self.dealer = RIGHT[self.leader]
        if isinstance(board, TieBreak):
            self._break_tie(board.cards)
        else:
            assert isinstance(board, Deal)  # noqa: S101 - narrows the opaque type
            self._begin_hand(board)

    def _begin_hand(self, board: Deal) -> None:
        self.hands = [list(hand) for hand in board.hands]
        self.tricks = []
        self.taken = [0] * PLAYERS
        self.phase = "play"
        self.seat = self.leader
        if self.events is not None:
            self._narrate_deal(self.events)

    def _break_tie(self, cards: tuple[int, ...]) -> None:
        """Deal the tie-break cards. All three have values, but only the tied players compare theirs."""
        worth = values(*cards)
        self.tie_break = cards
        self.winner = max(self._tied(), key=worth.__getitem__)
        self.phase, self.seat = "over", OVER
        if self.events is not None:
            self._narrate_tie_break(self.events)
            self._narrate_end(self.events)

    def _tied(self) -> list[int]:
        """Return the seats with the most tricks."""
        most = max(self.totals)
        return [seat for seat, total in enumerate(self.totals) if total == most]

    # Moves

    def legal(self, seat: int) -> Sequence[int]:
        return self.hands[seat]

    def apply(self, action: int) -> None:
        seat, hands, trick = self.seat, self.hands, self.trick
        held = hands[seat].copy()
        held.remove(action)
        hands[seat] = held
        trick.append(action)
        if self.events is not None:
            card = TOKENS[action]
            text = f"{{{seat}}} plays {card}."
            self.events.append(Event("play", text, seat, (card,), f"hand:{seat}", f"table:{seat}"))
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
            self._narrate_trick(self.events)
        if len(self.tricks) == EACH:
            self._end_hand()

    def _end_hand(self) -> None:
        if self.boards < self.game.options["hands"]:
            self.phase, self.seat = "deal", CHANCE
        elif len(self._tied()) > 1:
            self.phase, self.seat = "tie-break", CHANCE
        else:
            self.phase, self.seat = "over", OVER
        if self.events is not None:
            parts = ", ".join(f"{{{seat}}} {taken}" for seat, taken in enumerate(self.taken))
            self.events.append(Event("score", f"Tricks of hand {self.boards}: {parts}."))
            if self.seat == OVER:
                self._narrate_end(self.events)

    # Results

    def scores(self) -> list[int]:
        return self.totals.copy()

    def keys(self) -> list[Json]:
        return [(total, seat == self.winner) for seat, total in enumerate(self.totals)]

    # View and events

    def view(self, seat: int) -> dict[str, Json]:
        card = TOKENS.__getitem__
        hand = [*map(card, self.hands[seat])]
        return {
            "seat": seat,
            "phase": self.phase,
            "legal": hand.copy() if seat == self.seat else [],
            "hand": hand,
            "hands": self.game.options["hands"],
            "hand_number": max(0, min(self.boards, self.game.options["hands"]) - 1),
            "dealer": self.dealer,
            "leader": self.leader,
            "trick": [*map(card, self.trick)],
            "tricks": [[trick[0], *map(card, trick[1:])] for trick in self.tricks],
            "taken": self.taken.copy(),
            "scores": self.totals.copy(),
            "tie_break": [*map(card, self.tie_break)] if self.tie_break else None,
        }

    def _narrate_deal(self, events: list[Event]) -> None:
        facts = {"hand": self.boards, "dealer": self.dealer, "taken": self.taken.copy(), "score": self.totals.copy()}
        text = f"Hand {self.boards}: {{{self.dealer}}} deals."
        events.append(Event("deal", text, self.dealer, facts=facts))
        for seat, hand in enumerate(self.hands):
            cards = tuple(TOKENS[card] for card in hand)
            text = f"{{{seat}}} is dealt {EACH} cards."
            events.append(Event("deal", text, seat, cards, "stock", f"hand:{seat}", (seat,), step=False))

    def _narrate_trick(self, events: list[Event]) -> None:
        seat = self.seat
        cards = tuple(TOKENS[card] for card in self.tricks[-1][1:])
        facts = {"taken": self.taken.copy(), "score": self.totals.copy()}
        events.append(Event("trick", f"{{{seat}}} wins the trick.", seat, cards, "table", f"won:{seat}", facts=facts))

    def _narrate_tie_break(self, events: list[Event]) -> None:
        *others, last = (f"{{{seat}}}" for seat in self._tied())
        text = f"{', '.join(others)} and {last} are tied for first: {{{self.dealer}}} deals a card to each player."
        events.append(Event("deal", text, self.dealer, facts={"dealer": self.dealer}))
        for seat in (self.leader, LEFT[self.leader], self.dealer):
            card = TOKENS[self.tie_break[seat]]
            events.append(
                Event("deal", f"{{{seat}}} is dealt {card}.", None, (card,), "stock", f"table:{seat}", step=False)
            )
        text = f"{{{self.winner}}} has the highest card of the tied players and wins."
        events.append(Event("tie-break", text, self.winner))

    def _narrate_end(self, events: list[Event]) -> None:
        totals = ", ".join(f"{{{seat}}} {total}" for seat, total in enumerate(self.totals))
        events.append(Event("end", f"The match ends: {totals}."))

    def key(self) -> Hashable:
        hands = tuple(map(tuple, self.hands))
        return self.phase, self.boards, self.seat, self.leader, self.winner, hands, (*self.trick,), (*self.totals,)

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.game, copy.events, copy.seat, copy.boards = self.game, None, self.seat, self.boards
        copy.phase, copy.dealer, copy.leader = self.phase, self.dealer, self.leader
        copy.hands, copy.trick, copy.tricks = self.hands[:], self.trick[:], self.tricks[:]
        copy.taken, copy.totals = self.taken[:], self.totals[:]
        copy.tie_break, copy.winner = self.tie_break, self.winner
        return copy
