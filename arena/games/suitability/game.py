"""Suitability with its options fixed: options, boards, tokens."""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Final

from arena.games.base import ClockRule, Game, Option, Variant, optional, truth, whole
from arena.games.boards import read_hands, shuffled
from arena.games.cards import mask_of, tokens
from arena.games.errors import OptionError
from arena.games.events import Event, Fact, Json
from arena.games.observations import Part
from arena.games.suitability import observation, remarks, wording
from arena.games.suitability.lesson import LESSON
from arena.games.suitability.rules import ACTIONS, TABLES, TOKENS, Deal
from arena.games.suitability.sample import sample, unseen
from arena.games.suitability.state import JokerState, SuitabilityState, TurnUpState
from arena.games.suitability.view import SuitabilityView
from arena.words import N_, _

STATES: Final = {2: SuitabilityState, 3: TurnUpState, 4: SuitabilityState, 5: JokerState}


class Suitability(Game):
    """The rules of Suitability with options fixed."""

    id = "suitability"
    title = "Suitability"
    designer = "David Parlett"
    source = "parlettgames.uk/oricards/suitability.html"
    lesson = LESSON
    one_deal: ClassVar[Mapping[str, Json]] = {"deals": 1, "points": None}
    view_type = SuitabilityView
    tokens = TOKENS
    actions = ACTIONS
    question = staticmethod(wording.question)
    label = staticmethod(wording.label)
    refusal = staticmethod(wording.refusal)
    remark = staticmethod(remarks.remark)
    claims = staticmethod(remarks.claims)
    unseen = staticmethod(unseen)
    option_list = (
        Option("players", 4, N_("2, 3, 4 or 5"), whole(2, 5)),
        Option("partnership", False, N_("true or false; true with 4 players only"), truth),
        Option("deals", 4, N_("a number of deals from 1, or null with points"), optional(whole(1))),
        Option("points", None, N_("a target from 1, or null with deals"), optional(whole(1))),
        Option("first_dealer", 0, N_("a seat, 0 to players - 1"), whole(0, 4)),
    )
    either = ("deals", "points")
    facts: ClassVar[tuple[Fact, ...]] = (
        Fact("deal", N_("Deal"), "number"),
        Fact("dealer", N_("Dealer"), "seat"),
        Fact("trump", N_("Trump"), "suit"),
        Fact("penalty", N_("Penalty"), "suit"),
        Fact("reverse", N_("Reverse"), "suit"),
        Fact("plain", N_("Plain"), "suit"),
        Fact("claim", N_("Claim"), "text", per_seat=True),
        Fact("taken", N_("Tricks"), "number", per_seat=True),
        Fact("penalties", N_("Penalty cards"), "number", per_seat=True),
        Fact("score", N_("Score"), "number", per_seat=True),
    )

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(options)
        if self.options["partnership"]:
            self.teams = ((0, 2), (1, 3))
        self.table = TABLES[self.players]
        self.open_auction = self.players != 3  # three exchange a card
        self.pack: dict[str, int] = {TOKENS[card]: card for card in self.table.pack}
        # In `players` consecutive deals every seat scores at least 5: it may claim in at most two of them, and a seat
        # that claims nothing scores at least 2, or at least 5 with two players.
        points = self.options["points"]
        self.max_boards = self.options["deals"] or self.players * -(-points // 5)

    @classmethod
    def complete(cls, options: Mapping[str, Json]) -> dict[str, Json]:
        full = super().complete(options)
        if full["partnership"] and full["players"] != 4:
            raise OptionError(_("suitability: partnership needs players 4"))
        if full["first_dealer"] >= full["players"]:
            last = full["players"] - 1
            raise OptionError(_("suitability: first_dealer must be a seat, 0 to %(last)s", last=last))
        return full

    @classmethod
    def variants(cls) -> tuple[Variant, ...]:
        return (
            cls.variant(
                "suitability-4", "%(game)s", N_("Four players, each for themselves; four deals."),
                clock=ClockRule(10),  # about 44 decisions of a seat in a match
                draw_probability=0.1, points_over=4,
            ),
            cls.variant(
                "suitability-4-partners", N_("%(game)s, partners"),
                N_("Two teams of two, sitting crosswise; four deals."),
                clock=ClockRule(10),  # 44
                draw_probability=0.5, points_over=4, partnership=True,
            ),
            cls.variant(
                "suitability-4-250", N_("%(game)s to 250"), N_("Four players; the first to 250 points ends it."),
                clock=ClockRule(20, paid=250),  # 145, up to 183
                draw_probability=0.05, points=250,
            ),
            cls.variant(
                "suitability-2", N_("%(game)s for two"), N_("Two players, cards from eight to ace; four deals."),
                clock=ClockRule(15),  # 55
                draw_probability=0.5, points_over=4, players=2,
            ),
            cls.variant(
                "suitability-3", N_("%(game)s for three"),
                N_("Three players and a turn-up that is exchanged; six deals."),
                clock=ClockRule(15),  # 67
                draw_probability=0.14, points_over=6, players=3, deals=6,
            ),
            cls.variant(
                "suitability-5", N_("%(game)s for five"), N_("Five players and three jokers; five deals."),
                clock=ClockRule(10, idle=24),  # 46
                draw_probability=0.07, players=5, deals=5,
            ),
        )  # fmt: skip

    def parts(self) -> tuple[Part, ...]:
        return observation.parts(self.players)

    def start(self, events: list[Event] | None = None) -> SuitabilityState:
        return STATES[self.players](self, events)

    def draw_board(self, index: int, rng: Random) -> Deal:
        each = self.table.each
        cards = shuffled(self.table.pack, rng)
        hands = tuple(mask_of(cards[first : first + each]) for first in range(0, each * self.players, each))
        return Deal(hands, cards[-1] if self.players == 3 else -1)

    def board_to_json(self, board: Deal) -> dict[str, Json]:
        data: dict[str, Json] = {"hands": [tokens(hand) for hand in board.hands]}
        if board.turn_up >= 0:
            data["turn_up"] = TOKENS[board.turn_up]
        return data

    def board_from_json(self, index: int, data: Json) -> Deal:
        turned = (data.get("turn_up"),) if self.players == 3 and isinstance(data, dict) else ()
        hands = read_hands(data, self.players, self.table.each, self.pack, *turned)
        return Deal(tuple(map(mask_of, hands)), *(self.pack[str(card)] for card in turned))

    def sample(self, view: Mapping[str, Json], rng: Random) -> SuitabilityState:
        return sample(self.start(), view, rng)
