"""Separate Suits with its options fixed: options, tokens, variants."""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from arena.games.base import ClockRule, Game, Option, Variant, optional, truth, whole
from arena.games.events import Event, Fact, Json
from arena.games.observations import Part
from arena.games.separate_suits import observation, remarks, wording
from arena.games.separate_suits.lesson import LESSON
from arena.games.separate_suits.rules import ACTIONS, TOKENS
from arena.games.separate_suits.sample import sample, unseen
from arena.games.separate_suits.state import SeparateSuitsState
from arena.games.separate_suits.view import SeparateSuitsView
from arena.words import N_


class SeparateSuits(Game):
    """The rules of Separate Suits with options fixed."""

    id = "separate_suits"
    title = "Separate Suits"
    designer = N_("an unnamed author on HubPages")
    source = "hubpages.com"
    deck = "ranks"
    lesson = LESSON
    one_deal: ClassVar[Mapping[str, Json]] = {"points": None, "hands": 1}
    view_type = SeparateSuitsView
    tokens = TOKENS
    actions = ACTIONS
    question = staticmethod(wording.question)
    label = staticmethod(wording.label)
    refusal = staticmethod(wording.refusal)
    remark = staticmethod(remarks.remark)
    unseen = staticmethod(unseen)
    option_list = (
        Option("players", 4, N_("2 to 8"), whole(2, 8)),
        Option("points", 20, N_("a target from 1, or null with hands"), optional(whole(1))),
        Option("hands", None, N_("a number of hands from 1, or null with points"), optional(whole(1))),
        Option("cancel_every_trick", False, N_("true or false"), truth),
        Option("split_hand", False, N_("true or false"), truth),
    )
    either = ("points", "hands")
    facts: ClassVar[tuple[Fact, ...]] = (
        Fact("hand", N_("Hand"), "number"),
        Fact("trick", N_("Trick"), "number"),
        Fact("equal", N_("Equal cards")),
        Fact("last_winner", N_("Won last"), "seat"),
        Fact("taken", N_("Tricks"), "number", per_seat=True),
        Fact("score", N_("Score"), "number", per_seat=True),
    )

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(options)
        self.max_boards = 0

    @classmethod
    def variants(cls) -> tuple[Variant, ...]:
        return (
            cls.variant(
                "separate-suits-4", "%(game)s", N_("Four players; the first to 20 points ends it."),
                clock=ClockRule(15),  # about 66 decisions of a seat in a match
                draw_probability=0.07, points_over=1,
            ),
            cls.variant(
                "separate-suits-2", N_("%(game)s for two"), N_("Two players; the first to 20 points ends it."),
                clock=ClockRule(10),  # 36
                draw_probability=0.5, players=2,
            ),
            cls.variant(
                "separate-suits-8", N_("%(game)s for eight"), N_("Eight players; the first to 20 points ends it."),
                clock=ClockRule(13, 0.05, paid=190, idle=15),  # 119, up to 132, at a table of eight
                draw_probability=0.05, players=8,
            ),
            cls.variant(
                "separate-suits-4-hands", N_("%(game)s, six hands"), N_("Four players; six hands."),
                clock=ClockRule(15),  # 72
                draw_probability=0.05, hands=6,
            ),
            cls.variant(
                "separate-suits-4-cancel", N_("%(game)s, cancelling"),
                N_("Four players; equal cards cancel in every trick."),
                clock=ClockRule(15),  # 67
                draw_probability=0.05, cancel_every_trick=True,
            ),
            cls.variant(
                "separate-suits-4-split", N_("%(game)s, split hand"),
                N_("Four players; six secret cards for the first six tricks."),
                clock=ClockRule(20),  # 97
                draw_probability=0.05, split_hand=True,
            ),
        )  # fmt: skip

    def parts(self) -> tuple[Part, ...]:
        return observation.parts(self.players)

    def start(self, events: list[Event] | None = None) -> SeparateSuitsState:
        return SeparateSuitsState(self, events)

    def sample(self, view: Mapping[str, Json], rng: Random) -> SeparateSuitsState:
        return sample(self.start(), view, rng)
