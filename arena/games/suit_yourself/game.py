"""Suit Yourself with its options fixed: options, boards, tokens."""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Final

from arena.games.base import ClockRule, Game, Option, Variant, whole
from arena.games.boards import hands_of, read_hands
from arena.games.cards import TOKENS, mask_of, tokens
from arena.games.events import Event, Fact, Json
from arena.games.suit_yourself import observation, remarks, wording
from arena.games.suit_yourself.lesson import LESSON
from arena.games.suit_yourself.rules import MAX_ROUNDS, PLAYERS, Hands
from arena.games.suit_yourself.sample import sample, unseen
from arena.games.suit_yourself.state import SuitYourselfState
from arena.games.suit_yourself.view import SuitYourselfView
from arena.words import N_

PACK: Final[dict[str, int]] = {TOKENS[card]: card for card in range(52)}


class SuitYourself(Game):
    """The rules of Suit Yourself with options fixed."""

    id = "suit_yourself"
    title = "Suit Yourself"
    designer = "Games Finkel"
    source = "gamesfinkel.com/suit-yourself"
    lesson = LESSON
    one_deal: ClassVar[Mapping[str, Json]] = {"target": 1}
    view_type = SuitYourselfView
    tokens = TOKENS
    actions = PACK
    parts = staticmethod(observation.parts)
    question = staticmethod(wording.question)
    label = staticmethod(wording.label)
    refusal = staticmethod(wording.refusal)
    remark = staticmethod(remarks.remark)
    unseen = staticmethod(unseen)
    option_list = (
        Option("players", PLAYERS, "4", whole(PLAYERS, PLAYERS)),
        Option("target", 50, N_("a number of points from 1"), whole(1)),
    )
    facts: ClassVar[tuple[Fact, ...]] = (
        Fact("round", N_("Round"), "number"),
        Fact("led", N_("Led"), "suit"),
        Fact("trump", N_("Trump"), "suit"),
        Fact("supertrump", N_("Supertrump"), "suit"),
        Fact("alpha", N_("Alpha"), "suit"),
        Fact("tricks", N_("Tricks"), "number", per_seat=True),
        Fact("clubs", "♣", "number", per_seat=True),
        Fact("diamonds", "♦", "number", per_seat=True),
        Fact("hearts", "♥", "number", per_seat=True),
        Fact("spades", "♠", "number", per_seat=True),
        Fact("score", N_("Score"), "number", per_seat=True),
    )

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(options)
        self.max_boards = MAX_ROUNDS

    @classmethod
    def variants(cls) -> tuple[Variant, ...]:
        summary = N_("Four players bid cards and pass three; suits gain power as a trick goes on; to 50 points.")
        clock = ClockRule(15, paid=300)  # about 108 decisions of a seat in a match, up to 226
        return (
            cls.variant("suit-yourself", "%(game)s", summary, clock=clock, draw_probability=0.1, points_over=1),
        )  # fmt: skip

    def start(self, events: list[Event] | None = None) -> SuitYourselfState:
        return SuitYourselfState(self, events)

    def draw_board(self, index: int, rng: Random) -> Hands:
        return tuple(map(mask_of, hands_of(range(52), PLAYERS, 13, rng)))

    def board_to_json(self, board: Hands) -> dict[str, Json]:
        return {"hands": [tokens(hand) for hand in board]}

    def board_from_json(self, index: int, data: Json) -> Hands:
        return tuple(map(mask_of, read_hands(data, PLAYERS, 13, PACK)))

    def sample(self, view: Mapping[str, Json], rng: Random) -> SuitYourselfState:
        return sample(self.start(), view, rng)
