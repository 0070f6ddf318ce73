"""Suits with its options fixed: options, boards, tokens."""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from arena.games.base import ClockRule, Game, Option, Variant
from arena.games.boards import check_cards, shuffled
from arena.games.cards import INDEX, TOKENS
from arena.games.errors import BoardError
from arena.games.events import Event, Fact, Json
from arena.games.suits_barnhart import observation, remarks, wording
from arena.games.suits_barnhart.lesson import LESSON
from arena.games.suits_barnhart.rules import FIRST_PLACE, FULL, HANDS, ORDER, TRICKS, Piles, action_of, token_of
from arena.games.suits_barnhart.sample import sample, unseen
from arena.games.suits_barnhart.solitaire import SolitaireState
from arena.games.suits_barnhart.state import SuitsBarnhartState
from arena.games.suits_barnhart.view import SuitsBarnhartView
from arena.words import N_


class SuitsBarnhart(Game):
    """The rules of Suits with options fixed."""

    id = "suits_barnhart"
    title = "Suits (Barnhart)"
    designer = "Aaron Barnhart"
    source = "pagat.com"
    lesson = LESSON
    view_type = SuitsBarnhartView
    token = staticmethod(token_of)
    action = staticmethod(action_of)
    parts = staticmethod(observation.parts)
    question = staticmethod(wording.question)
    label = staticmethod(wording.label)
    refusal = staticmethod(wording.refusal)
    remark = staticmethod(remarks.remark)
    unseen = staticmethod(unseen)
    option_list = (
        Option("players", 4, N_("4, or 1 for the solitaire"), lambda value: type(value) is int and value in (1, 4)),
    )
    facts: ClassVar[tuple[Fact, ...]] = (
        Fact("deal", N_("Hand"), "number"),
        Fact("west", N_("West"), "number"),
        Fact("north", N_("North"), "number"),
        Fact("east", N_("East"), "number"),
        Fact("suit", N_("Suit"), "suit", per_seat=True),
        Fact("points", N_("This hand"), "number", per_seat=True),
        Fact("score", N_("Score"), "number", per_seat=True),
    )

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(options)
        self.max_boards = HANDS

    @classmethod
    def variants(cls) -> tuple[Variant, ...]:
        return (
            cls.variant(
                "suits-barnhart-4", "%(game)s", N_("Four players; everybody plays every suit once."),
                clock=ClockRule(15),  # about 81 decisions of a seat in a match
                draw_probability=0.07, points_over=HANDS,
            ),
            cls.variant(
                "suits-barnhart-solitaire", N_("%(game)s, solitaire"),
                N_("One player against three dummies: 25 points before one of them has 20."),
                clock=ClockRule(20),  # about 80; a solitaire keeps no other bot waiting
                draw_probability=0.05, boards=10, players=1,
            ),
        )  # fmt: skip

    def start(self, events: list[Event] | None = None) -> SuitsBarnhartState:
        return (SolitaireState if self.players == 1 else SuitsBarnhartState)(self, events)

    def draw_board(self, index: int, rng: Random) -> Piles:
        hearts, diamonds, clubs, spades = (bytes(shuffled(suit, rng)) for suit in FULL)
        return hearts, diamonds, clubs, spades

    def board_to_json(self, board: Piles) -> dict[str, Json]:
        return {"piles": {suit: [TOKENS[card] for card in pile] for suit, pile in zip(ORDER, board, strict=True)}}

    def board_from_json(self, index: int, data: Json) -> Piles:
        piles = data.get("piles") if isinstance(data, dict) else None
        if not isinstance(piles, dict) or not set(ORDER) <= piles.keys():
            raise BoardError("piles must be an object with a list for each of H, D, C, S")
        hearts, diamonds, clubs, spades = (_read_pile(suit, piles[suit]) for suit in ORDER)
        return hearts, diamonds, clubs, spades

    def sample(self, view: Mapping[str, Json], rng: Random) -> SuitsBarnhartState:
        return sample(self.start(), view, rng)

    @property
    def choices(self) -> int:
        """52 cards, and the places of the orders of up to four cards."""
        return FIRST_PLACE + 24

    def choice(self, token: str, place: int) -> int:
        """Return a card, or 52 plus the place of an order among those of the same cards."""
        return FIRST_PLACE + place if "," in token else action_of(token)


def _read_pile(suit: str, pile: Json) -> bytes:
    """Read the pile of a suit. Raises `BoardError` unless it is all thirteen cards of the suit."""
    if not isinstance(pile, list) or len(pile) != TRICKS:
        raise BoardError(f"the pile of {suit} must have {TRICKS} cards")
    check_cards(pile, {TOKENS[card]: card for card in FULL[ORDER.index(suit)]})
    return bytes(INDEX[card] for card in pile)
