"""A position of Suitability, and what is told of it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from arena.games.base import CHANCE, OVER, Board, State
from arena.games.cards import BIT, CARDS, CARDS_OF, SUIT_NAMES, SUIT_OF, SUITS, Card, split
from arena.games.events import Event, Json
from arena.games.suitability.rules import (
    CLAIM_ACTIONS,
    CLAIMS,
    DECLINE,
    FIRST_CLAIM,
    FIRST_NOMINATION,
    ROLES,
    TOKENS,
    Deal,
    deal_score,
    powers,
)

if TYPE_CHECKING:
    from arena.games.suitability.game import Suitability

CLUBS, DIAMONDS, HEARTS, SPADES, JOKERS = CARDS_OF


class SuitabilityState(State):
    """A position of Suitability."""

    __slots__ = (
        "at_stake", "best", "claims", "dealer", "exchange", "hands", "leader", "led", "next", "nominations",
        "penalties", "penalty", "phase", "players", "power", "powers", "roles", "speakers", "taken", "totals", "trick",
        "tricks", "turn_up", "winner",
    )  # fmt: skip

    game: "Suitability"

    def __init__(self, game: "Suitability", events: list[Event] | None = None) -> None:
        self.game = game
        self.players = players = game.players
        self.next = (*range(1, players), 0)
        """The left neighbour of each seat."""
        self.events = events
        self.seat = CHANCE
        self.boards = 0
        self.phase = "deal"
        self.totals = [0] * players
        self.dealer = self.leader = self.winner = game.options["first_dealer"]
        self.hands = [0] * 5 * players
        """Five masks per seat: clubs, diamonds, hearts, spades, jokers."""
        self.turn_up = -1
        self.speakers: list[int] = []
        """Who nominates and then who may claim, in order; those who have spoken are taken off."""
        self.powers: tuple[tuple[int, ...], ...] = ()
        self.power: tuple[int, ...] = ()
        self.penalty = -1
        self.best = self.at_stake = self.led = 0
        self._clear()

    def _clear(self) -> None:
        players = self.players
        self.roles = [-1, -1, -1, -1]
        """Suit numbers of trump, penalty, reverse and plain; -1 while unset."""
        self.nominations: list[tuple[int, int]] = []
        self.claims: list[str | None] = [None] * players
        self.exchange: tuple[int, int] | None = None
        self.taken = [0] * players
        self.penalties = [0] * players
        self.trick: list[int] = []
        self.tricks: list[tuple[int, ...]] = []
        """Finished tricks of this deal: the leader, then the cards in order of play."""

    # Chance

    def deal(self, board: Board) -> None:
        assert isinstance(board, Deal)  # noqa: S101 - narrows the opaque type
        game, players = self.game, self.players
        self._clear()
        self.dealer = (game.options["first_dealer"] + self.boards) % players
        self.leader = (self.dealer + 1) % players
        self.boards += 1
        self.hands = [mask for hand in board.hands for mask in split(hand)]
        self.turn_up = board.turn_up
        table = game.table
        self.speakers = [(self.dealer + offset) % players for offset in table.nominators + table.claimants]
        self.phase = "nominate"
        self.seat = self.speakers[0]
        if self.events is not None:
            self._tell_deal(self.events)

    # Moves

    def legal(self, seat: int) -> Sequence[int]:
        if self.phase != "play":
            return self._nominations() if self.phase == "nominate" else CLAIM_ACTIONS
        hands, at = self.hands, 5 * seat
        if self.trick:
            led = self.led
            following = hands[at + led]
            if following and led < 4:
                jokers = hands[at + 4]
                return CARDS_OF[led][following] + JOKERS[jokers] if jokers else CARDS_OF[led][following]
        cards = CLUBS[hands[at]] + DIAMONDS[hands[at + 1]] + HEARTS[hands[at + 2]] + SPADES[hands[at + 3]]
        return cards + JOKERS[hands[at + 4]]

    def _nominations(self) -> list[int]:
        suits = [suit for suit in range(4) if suit not in self.roles]
        return [FIRST_NOMINATION + 4 * role + suit for role in range(3) if self.roles[role] < 0 for suit in suits]

    def apply(self, action: int) -> None:
        if self.phase == "play":
            self._play(action)
        elif self.phase == "nominate":
            self._nominate(action)
        else:
            self._claim(action)

    def _nominate(self, action: int) -> None:
        seat = self.speakers.pop(0)
        role, suit = divmod(action - FIRST_NOMINATION, 4)
        self.roles[role] = suit
        self.nominations.append((seat, action))
        if self.events is not None:
            text = f"{{{seat}}} makes {SUIT_NAMES[SUITS[suit]]} the {ROLES[role]} suit."
            self.events.append(Event("nominate", text, seat, facts={ROLES[role]: SUITS[suit]}))
        if len(self.nominations) == 3:
            self._declare_plain()
        else:
            self.seat = self.speakers[0]

    def _declare_plain(self) -> None:
        self.roles[3] = plain = 6 - sum(self.roles[:3])
        self.powers = powers(self.roles[0], self.roles[2])
        self.penalty = self.roles[1]
        if self.events is not None:
            text = f"{SUIT_NAMES[SUITS[plain]].capitalize()} is the plain suit."
            self.events.append(Event("plain", text, facts={"plain": SUITS[plain]}, step=False))
        if self.turn_up >= 0 and SUIT_OF[self.turn_up] != plain:
            self._exchange(13 * plain + self.turn_up % 13)
        if self.speakers:
            self.phase = "privilege"
            self.seat = self.speakers[0]
        else:
            self._begin_play()

    def _exchange(self, card: int) -> None:
        """Three players: the holder of the plain suit's card of the turn-up's rank swaps it for the turn-up."""
        suit, bit, turned = SUIT_OF[card], BIT[card], SUIT_OF[self.turn_up]
        seat = next(seat for seat in range(self.players) if self.hands[5 * seat + suit] & bit)
        self.hands[5 * seat + suit] ^= bit
        self.hands[5 * seat + turned] ^= bit
        self.exchange = (seat, card)
        if self.events is not None:
            out, turn_up = CARDS[card], CARDS[self.turn_up]
            place = f"hand:{seat}"
            self.events += [
                Event("exchange", f"{{{seat}}} exchanges {out} …", seat, (out,), place, "discard"),
                Event("exchange", f"… for the turn-up {turn_up}.", seat, (turn_up,), "centre", place, step=False),
            ]

    def _claim(self, action: int) -> None:
        seat = self.speakers.pop(0)
        claim = self.claims[seat] = CLAIMS[action - FIRST_CLAIM]
        if self.events is not None:
            text = f"{{{seat}}} claims no privilege." if claim == DECLINE else f"{{{seat}}} claims {claim}."
            self.events.append(Event("privilege", text, seat, facts={"claim": self.claims.copy()}))
        if claim == DECLINE and self.speakers:
            self.seat = self.speakers[0]
        else:
            self._begin_play()

    def _begin_play(self) -> None:
        self.phase = "play"
        self.seat = self.leader

    def _play(self, card: int) -> None:
        seat, trick, suit = self.seat, self.trick, SUIT_OF[card]
        self.hands[5 * seat + suit] ^= BIT[card]
        if not trick:
            self.led = suit
            self.power = self.powers[suit]
            self.best = -1
            self.at_stake = 0
        trick.append(card)
        power = self.power[card]
        if power > self.best:
            self.best = power
            self.winner = seat
        if suit == self.penalty:
            self.at_stake += 1
        if self.events is not None:
            text = f"{{{seat}}} plays {CARDS[card]}."
            self.events.append(Event("play", text, seat, (CARDS[card],), f"hand:{seat}", f"table:{seat}"))
        if len(trick) == self.players:
            self._end_trick()
        else:
            self.seat = self.next[seat]

    def _end_trick(self) -> None:
        winner = self.winner
        self.taken[winner] += 1
        self.penalties[winner] += self.at_stake
        self.tricks.append((self.leader, *self.trick))
        if self.events is not None:
            self._tell_trick(self.events)
        self.trick = []
        self.seat = self.leader = winner
        if len(self.tricks) == self.game.table.each:
            self._end_deal()

    def _end_deal(self) -> None:
        scores = [deal_score(*row) for row in zip(self.taken, self.penalties, self._effective_claims(), strict=True)]
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        options = self.game.options
        over = self.boards == options["deals"] if options["deals"] else max(self.keys()) >= options["points"]
        self.phase, self.seat = ("over", OVER) if over else ("deal", CHANCE)
        if self.events is not None:
            self._tell_scores(self.events, scores)

    def _effective_claims(self) -> list[str]:
        return [claim or DECLINE for claim in self.claims]

    # Results

    def scores(self) -> list[int]:
        return self.totals.copy()

    def keys(self) -> list[Json]:
        if not self.game.options["partnership"]:
            return self.totals.copy()
        even, odd = self.totals[0] + self.totals[2], self.totals[1] + self.totals[3]
        return [even, odd, even, odd]

    # What is told

    def view(self, seat: int) -> dict[str, Json]:
        trump, penalty, reverse, plain = (SUITS[suit] if suit >= 0 else None for suit in self.roles)
        card = CARDS.__getitem__
        return {
            "seat": seat,
            "phase": self.phase,
            "legal": [TOKENS[action] for action in self.legal(seat)] if seat == self.seat else [],
            "hand": self._tokens(seat),
            "deal": max(0, self.boards - 1),
            "dealer": self.dealer,
            "roles": {"trump": trump, "penalty": penalty, "reverse": reverse, "plain": plain},
            "nominations": [[who, TOKENS[said]] for who, said in self.nominations],
            "claims": self.claims.copy(),
            "turn_up": card(self.turn_up) if self.turn_up >= 0 else None,
            "exchange": [self.exchange[0], card(self.exchange[1])] if self.exchange else None,
            "leader": self.leader,
            "trick": [*map(card, self.trick)],
            "tricks": [[trick[0], *map(card, trick[1:])] for trick in self.tricks],
            "taken": self.taken.copy(),
            "penalties": self.penalties.copy(),
            "scores": self.totals.copy(),
        }

    def _tokens(self, seat: int) -> list[Card]:
        masks = self.hands[5 * seat : 5 * seat + 5]
        return [CARDS[card] for cards, mask in zip(CARDS_OF, masks, strict=True) for card in cards[mask]]

    def _tell_deal(self, events: list[Event]) -> None:
        nothing = [0] * self.players
        facts: dict[str, Any] = dict.fromkeys(("trump", "penalty", "reverse", "plain"))
        facts |= {"deal": self.boards, "dealer": self.dealer, "claim": self.claims.copy()}
        facts |= {"taken": nothing, "penalties": nothing, "score": self.totals.copy()}
        events.append(Event("deal", f"Deal {self.boards}: {{{self.dealer}}} deals.", self.dealer, facts=facts))
        for seat in range(self.players):
            cards = tuple(self._tokens(seat))
            text = f"{{{seat}}} is dealt {len(cards)} cards."
            events.append(Event("deal", text, seat, cards, "stock", f"hand:{seat}", (seat,), step=False))
        if self.turn_up >= 0:
            turn_up = CARDS[self.turn_up]
            events.append(Event("deal", f"{turn_up} is turned up.", None, (turn_up,), "stock", "centre", step=False))

    def _tell_trick(self, events: list[Event]) -> None:
        seat, stake = self.winner, self.at_stake
        text = f"{{{seat}}} wins the trick" + (f" and takes {stake} penalty card{'s' * (stake > 1)}." if stake else ".")
        cards = tuple(CARDS[card] for card in self.trick)
        facts = {"taken": self.taken.copy(), "penalties": self.penalties.copy()}
        events.append(Event("trick", text, seat, cards, "table", f"won:{seat}", facts=facts))

    def _tell_scores(self, events: list[Event], scores: list[int]) -> None:
        parts = ", ".join(f"{{{seat}}} {score}" for seat, score in enumerate(scores))
        events.append(Event("score", f"Deal {self.boards} scores: {parts}.", facts={"score": self.totals.copy()}))
        if self.seat == OVER:
            totals = ", ".join(f"{{{seat}}} {total}" for seat, total in enumerate(self.totals))
            events.append(Event("end", f"The match ends: {totals}."))

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.game, copy.events, copy.seat, copy.boards = self.game, None, self.seat, self.boards
        copy.phase, copy.dealer, copy.leader, copy.winner = self.phase, self.dealer, self.leader, self.winner
        copy.turn_up, copy.exchange, copy.best, copy.at_stake = self.turn_up, self.exchange, self.best, self.at_stake
        copy.powers, copy.power, copy.penalty, copy.led = self.powers, self.power, self.penalty, self.led
        copy.players, copy.next = self.players, self.next
        copy.totals, copy.hands, copy.roles, copy.claims = self.totals[:], self.hands[:], self.roles[:], self.claims[:]
        copy.nominations, copy.speakers = self.nominations[:], self.speakers[:]
        copy.taken, copy.penalties = self.taken[:], self.penalties[:]
        copy.trick, copy.tricks = self.trick[:], self.tricks[:]
        return copy
