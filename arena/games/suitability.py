"""Suitability, by David Parlett (also spelt "Suitably"); two to five players, four also as partners.

A deal: the players in turn make one suit trump, one the penalty suit and one the reverse suit (its 2 high, its ace
low); the last suit is plain. Whoever had no choice of suits may claim immunity, warranty or poverty. Then ordinary
trick play: follow suit if able, highest trump wins, else the highest card of the suit led.

    tricks t, penalty cards p      no claim                immunity   warranty   poverty (m = max(0, 5 - t))
    t = 0                          25                      25         25         50
    p = 0                          10 t + 10               5 t        25         10 m
    else                           10 t / p, down          5 t        25         10 m / p, down

Where the designer's text is silent the rules page gives the ruling.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, ClassVar, Final, NamedTuple, Self

from arena.games.base import CHANCE, OVER, Board, Game, Option, State, View
from arena.games.cards import (
    BIT,
    CARDS,
    CARDS_OF,
    INDEX,
    RANKS,
    SUIT_NAMES,
    SUIT_OF,
    SUITS,
    Card,
    mask_of,
    split,
    tokens,
)
from arena.games.errors import BoardError, IllegalAction, OptionError
from arena.games.events import Event, Fact, Json

ROLES: Final = ("trump", "penalty", "reverse")
CLAIMS: Final = ("immunity", "warranty", "poverty", "decline")
IMMUNITY, WARRANTY, POVERTY, DECLINE = CLAIMS
FIRST_NOMINATION: Final = len(CARDS)
FIRST_CLAIM: Final = FIRST_NOMINATION + 12
NOMINATIONS: Final = tuple(f"{role}:{suit}" for role in ROLES for suit in SUITS)
TOKENS: Final[tuple[str, ...]] = (*CARDS, *NOMINATIONS, *CLAIMS)
ACTIONS: Final = {token: action for action, token in enumerate(TOKENS)}
CLAIM_ACTIONS: Final = tuple(range(FIRST_CLAIM, FIRST_CLAIM + 4))
CLUBS, DIAMONDS, HEARTS, SPADES, JOKERS = CARDS_OF


class Table(NamedTuple):
    """What depends on the number of players. Seats are counted from the dealer, clockwise."""

    pack: tuple[int, ...]
    each: int
    """Cards dealt to each player."""
    nominators: tuple[int, ...]
    claimants: tuple[int, ...]
    """Who may claim a privilege; the second only where the first declines."""


def _pack(ranks: str, jokers: int = 0) -> tuple[int, ...]:
    return (*(INDEX[rank + suit] for suit in SUITS for rank in ranks), *range(52, 52 + jokers))


TABLES: Final = {
    2: Table(_pack("89TJQKA"), 14, (1, 0, 1), (0,)),
    3: Table(_pack("23456TJQKA"), 13, (1, 2, 0), ()),
    4: Table(_pack(RANKS), 13, (1, 2, 3), (0,)),
    5: Table(_pack(RANKS, jokers=3), 11, (1, 2, 3), (4, 0)),
}


def deal_score(tricks: int, penalties: int, claim: str = DECLINE) -> int:
    """Points of one deal for a seat with `tricks` tricks that hold `penalties` penalty cards."""
    if claim == WARRANTY:
        return 25
    if claim == POVERTY:
        missing = max(0, 5 - tricks)
        return 10 * missing // max(1, penalties)
    if tricks == 0:
        return 25
    if claim == IMMUNITY:
        return 5 * tricks
    return 10 * tricks // penalties if penalties else 10 * tricks + 10


@cache
def _powers(trump: int, reverse: int) -> tuple[tuple[int, ...], ...]:
    """For each suit led (4 = a joker), the power of every card; the highest wins, 0 cannot win."""

    def power(card: int, led: int) -> int:
        suit, rank = divmod(card, 13)
        if suit == 4:
            return 50 if led == 4 else 0
        if suit == trump:
            return 20 + rank
        if suit != led:
            return 0
        return 13 - rank if suit == reverse else 1 + rank

    return tuple(tuple(power(card, led) for card in range(len(CARDS))) for led in range(5))


class Deal(NamedTuple):
    """A board: hands as masks by seat, and the turn-up of three players (else -1)."""

    hands: tuple[int, ...]
    turn_up: int


class SuitabilityView(View):
    """What a seat may know in Suitability."""

    __slots__ = ()

    @property
    def hand(self) -> list[Card]:
        """Your cards, in canonical order."""
        return [Card(token) for token in self.data["hand"]]

    @property
    def roles(self) -> Mapping[str, str | None]:
        """The suit of each role (trump, penalty, reverse, plain), None while it has none."""
        return self.data["roles"]  # type: ignore[no-any-return]

    @property
    def nominations(self) -> list[tuple[int, str]]:
        """(seat, nomination) in order, for example (1, "trump:S")."""
        return [(seat, said) for seat, said in self.data["nominations"]]

    @property
    def claims(self) -> list[str | None]:
        """By seat: the privilege claimed in this deal, "decline", or None where the seat had no say yet."""
        return self.data["claims"]  # type: ignore[no-any-return]

    @property
    def leader(self) -> int:
        """Who leads, or led, the current trick."""
        return self.data["leader"]  # type: ignore[no-any-return]

    @property
    def trick(self) -> list[Card]:
        """The cards of the current trick in order of play, from the leader on."""
        return [Card(token) for token in self.data["trick"]]

    @property
    def tricks(self) -> list[tuple[int, list[Card]]]:
        """The finished tricks of this deal: (leader, cards in order of play)."""
        return [(leader, [Card(token) for token in cards]) for leader, *cards in self.data["tricks"]]

    @property
    def taken(self) -> list[int]:
        """Tricks won in this deal, by seat."""
        return self.data["taken"]  # type: ignore[no-any-return]

    @property
    def penalties(self) -> list[int]:
        """Penalty cards taken in this deal, by seat."""
        return self.data["penalties"]  # type: ignore[no-any-return]

    @property
    def scores(self) -> list[int]:
        """Totals of the deals before, by seat."""
        return self.data["scores"]  # type: ignore[no-any-return]

    @property
    def deal(self) -> int:
        """The number of this deal, from 0."""
        return self.data["deal"]  # type: ignore[no-any-return]

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.data["dealer"]  # type: ignore[no-any-return]

    @property
    def turn_up(self) -> Card | None:
        """Three players: the card turned up before the nominations."""
        return Card(self.data["turn_up"]) if self.data["turn_up"] else None

    @property
    def exchange(self) -> tuple[int, Card] | None:
        """Three players: who took the turn-up, and the card of the plain suit that is out of play for it."""
        return (self.data["exchange"][0], Card(self.data["exchange"][1])) if self.data["exchange"] else None

    def power(self, card: str, led: str | None = None) -> int:
        """How strong a card is in a trick to which `led` (a card; else the current trick's first, else itself) is led.

        The highest power wins the trick; 0 cannot win. For use in play, when every suit has its role.
        """
        led = led or (self.data["trick"][0] if self.data["trick"] else card)
        roles = self.data["roles"]
        return _powers(SUITS.index(roles["trump"]), SUITS.index(roles["reverse"]))[SUIT_OF[INDEX[led]]][INDEX[card]]


def _is_int(value: Json, low: int, high: int | None = None) -> bool:
    return type(value) is int and value >= low and (high is None or value <= high)


class Suitability(Game):
    """The rules with options fixed."""

    id = "suitability"
    title = "Suitability"
    designer = "David Parlett"
    source = "parlettgames.uk/oricards/suitability.html"
    view_type = SuitabilityView
    option_list = (
        Option("players", 4, "2, 3, 4 or 5", lambda v: _is_int(v, 2, 5)),
        Option("partnership", False, "true or false; true with 4 players only", lambda v: type(v) is bool),
        Option("deals", 4, "a number of deals from 1, or null with points", lambda v: v is None or _is_int(v, 1)),
        Option("points", None, "a target from 1, or null with deals", lambda v: v is None or _is_int(v, 1)),
        Option("first_dealer", 0, "a seat, 0 to players - 1", lambda v: _is_int(v, 0, 4)),
    )
    facts: ClassVar[tuple[Fact, ...]] = (
        Fact("deal", "Deal", "number"),
        Fact("dealer", "Dealer", "seat"),
        Fact("trump", "Trump", "suit"),
        Fact("penalty", "Penalty", "suit"),
        Fact("reverse", "Reverse", "suit"),
        Fact("plain", "Plain", "suit"),
        Fact("claim", "Claim", "text", per_seat=True),
        Fact("taken", "Tricks", "number", per_seat=True),
        Fact("penalties", "Penalty cards", "number", per_seat=True),
        Fact("score", "Score", "number", per_seat=True),
    )

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(options)
        if self.options["partnership"]:
            self.teams = ((0, 2), (1, 3))
        self.table = TABLES[self.players]
        # In `players` deals in a row every seat scores at least 5: it is free to claim in at most two of them, and
        # whoever claims nothing scores at least 2, with two players at least 5.
        points = self.options["points"]
        self.max_boards = self.options["deals"] or self.players * -(-points // 5)

    @classmethod
    def complete(cls, options: Mapping[str, Json]) -> dict[str, Json]:
        """Defaults written out; setting one of deals and points alone sets the other to null."""
        for one, other in (("deals", "points"), ("points", "deals")):
            if options.get(one) is not None and other not in options:
                options = {**options, other: None}
        full = super().complete(options)
        if (full["deals"] is None) == (full["points"] is None):
            raise OptionError("suitability: exactly one of deals and points must be set, the other null")
        if full["partnership"] and full["players"] != 4:
            raise OptionError("suitability: partnership needs players 4")
        if full["first_dealer"] >= full["players"]:
            raise OptionError(f"suitability: first_dealer must be a seat, 0 to {full['players'] - 1}")
        return full

    def start(self, events: list[Event] | None = None) -> "SuitabilityState":
        return SuitabilityState(self, events)

    def draw_board(self, index: int, rng: Random) -> Deal:
        pack, each, random = self.table.pack, self.table.each, rng.random
        order = sorted(range(len(pack)), key=[random() for _ in pack].__getitem__)
        cards = [pack[place] for place in order]
        hands = tuple(mask_of(cards[first : first + each]) for first in range(0, each * self.players, each))
        return Deal(hands, cards[-1] if self.players == 3 else -1)

    def board_to_json(self, board: Board) -> dict[str, Json]:
        assert isinstance(board, Deal)  # noqa: S101 - narrows the opaque type
        data: dict[str, Json] = {"hands": [tokens(hand) for hand in board.hands]}
        if board.turn_up >= 0:
            data["turn_up"] = CARDS[board.turn_up]
        return data

    def board_from_json(self, index: int, data: Json) -> Deal:
        hands = data.get("hands") if isinstance(data, dict) else None
        if not isinstance(hands, list) or len(hands) != self.players:
            raise BoardError(f"hands must be a list of {self.players} hands")
        masks = tuple(self._hand(seat, hand) for seat, hand in enumerate(hands))
        extra = [data.get("turn_up")] if self.players == 3 else []
        self._check_pack([card for hand in hands for card in hand] + extra)
        return Deal(masks, INDEX[extra[0]] if extra else -1)

    def _hand(self, seat: int, hand: Json) -> int:
        if not isinstance(hand, list) or len(hand) != self.table.each:
            raise BoardError(f"seat {seat} must have {self.table.each} cards")
        return mask_of(INDEX[card] for card in hand if isinstance(card, str) and card in INDEX)

    def _check_pack(self, dealt: list[Json]) -> None:
        pack = {CARDS[card] for card in self.table.pack}
        for card in dealt:
            if not isinstance(card, str) or card not in pack:
                raise BoardError(f"{card!r} is not a card of the pack for {self.players}, or is dealt twice")
            pack.remove(CARDS[INDEX[card]])

    def token(self, action: int) -> str:
        return TOKENS[action]

    def action(self, token: str) -> int:
        if token not in ACTIONS:
            raise IllegalAction(f"{token!r} is no action of suitability")
        return ACTIONS[token]


class SuitabilityState(State):
    """A position of Suitability."""

    __slots__ = (
        "at_stake", "best", "claims", "dealer", "exchange", "hands", "leader", "led", "next", "nominations",
        "penalties", "penalty", "phase", "players", "power", "powers", "roles", "speakers", "taken", "totals", "trick",
        "tricks", "turn_up", "winner",
    )  # fmt: skip

    game: Suitability

    def __init__(self, game: Suitability, events: list[Event] | None = None) -> None:
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
        self.powers = _powers(self.roles[0], self.roles[2])
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
        self.seat = self.leader = (self.dealer + 1) % self.players

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
