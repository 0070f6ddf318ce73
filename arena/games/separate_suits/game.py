"""Separate Suits with its options fixed: options, tokens, variants."""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from arena.games.base import ClockRule, Game, Option, Variant, optional, truth, whole
from arena.games.deals import Group
from arena.games.events import Event, Fact, Json
from arena.games.observations import Part
from arena.games.separate_suits import observation, remarks, wording
from arena.games.separate_suits.lesson import LESSON
from arena.games.separate_suits.rules import ACTIONS, TOKENS
from arena.games.separate_suits.sample import sample, unseen
from arena.games.separate_suits.state import SeparateSuitsState
from arena.games.separate_suits.view import SeparateSuitsView


class SeparateSuits(Game):
    """The rules of Separate Suits with options fixed."""

    id = "separate_suits"
    title = "Separate Suits"
    designer = "an unnamed author on HubPages"
    source = "hubpages.com"
    deck = "ranks"
    lesson = LESSON
    one_deal: ClassVar[Mapping[str, Json]] = {"points": None, "hands": 1}
    view_type = SeparateSuitsView
    tokens = TOKENS
    actions = ACTIONS
    option_list = (
        Option("players", 4, "2 to 8", whole(2, 8)),
        Option("points", 20, "a target from 1, or null with hands", optional(whole(1))),
        Option("hands", None, "a number of hands from 1, or null with points", optional(whole(1))),
        Option("cancel_every_trick", False, "true or false", truth),
        Option("split_hand", False, "true or false", truth),
    )
    either = ("points", "hands")
    facts: ClassVar[tuple[Fact, ...]] = (
        Fact("hand", "Hand", "number"),
        Fact("trick", "Trick", "number"),
        Fact("equal", "Equal cards"),
        Fact("last_winner", "Won last", "seat"),
        Fact("taken", "Tricks", "number", per_seat=True),
        Fact("score", "Score", "number", per_seat=True),
    )

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(options)
        self.max_boards = 0

    @classmethod
    def variants(cls) -> tuple[Variant, ...]:
        name = cls.title
        return (
            cls.variant(
                "separate-suits-4", name, "Four players; the first to 20 points ends it.",
                clock=ClockRule(15),  # about 66 decisions of a seat in a match
                draw_probability=0.07, points_over=1,
            ),
            cls.variant(
                "separate-suits-2", f"{name} for two", "Two players; the first to 20 points ends it.",
                clock=ClockRule(10),  # 36
                draw_probability=0.5, players=2,
            ),
            cls.variant(
                "separate-suits-8", f"{name} for eight", "Eight players; the first to 20 points ends it.",
                clock=ClockRule(13, 0.05, paid=190, idle=15),  # 119, up to 132, at a table of eight
                draw_probability=0.05, players=8,
            ),
            cls.variant(
                "separate-suits-4-hands", f"{name}, six hands", "Four players; six hands.",
                clock=ClockRule(15),  # 72
                draw_probability=0.05, hands=6,
            ),
            cls.variant(
                "separate-suits-4-cancel", f"{name}, cancelling", "Four players; equal cards cancel in every trick.",
                clock=ClockRule(15),  # 67
                draw_probability=0.05, cancel_every_trick=True,
            ),
            cls.variant(
                "separate-suits-4-split", f"{name}, split hand",
                "Four players; six secret cards for the first six tricks.",
                clock=ClockRule(20),  # 97
                draw_probability=0.05, split_hand=True,
            ),
        )  # fmt: skip

    def parts(self) -> tuple[Part, ...]:
        return observation.parts(self.players)

    def start(self, events: list[Event] | None = None) -> SeparateSuitsState:
        return SeparateSuitsState(self, events)

    def question(self, view: Mapping[str, Json]) -> str:
        return wording.question(view)

    def label(self, token: str, view: Mapping[str, Json]) -> str:
        return wording.label(token, view)

    def refusal(self, view: Mapping[str, Json], card: str) -> str:
        return wording.refusal(view, card)

    def remark(self, view: Mapping[str, Json], token: str) -> str:
        return remarks.remark(view, token)

    def sample(self, view: Mapping[str, Json], rng: Random) -> SeparateSuitsState:
        return sample(self.start(), view, rng)

    def unseen(self, view: Mapping[str, Json]) -> list[Group]:
        return [*unseen(view)]
