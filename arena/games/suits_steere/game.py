"""Suits with its options fixed: options, boards, tokens."""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from arena.games.base import ClockRule, Game, Option, Variant, whole
from arena.games.boards import check_cards, hands_of, read_hands
from arena.games.errors import BoardError
from arena.games.events import Event, Fact, Json
from arena.games.spanish import INDEX, TOKENS
from arena.games.suits_steere import observation, remarks, wording
from arena.games.suits_steere.lesson import LESSON
from arena.games.suits_steere.rules import EACH, PLAYERS, Deal, TieBreak
from arena.games.suits_steere.sample import sample, unseen
from arena.games.suits_steere.state import SuitsSteereState
from arena.games.suits_steere.view import SuitsSteereView
from arena.words import N_

PACK = range(len(TOKENS))


class SuitsSteere(Game):
    """The rules of Suits with options fixed."""

    id = "suits_steere"
    title = "Suits"
    designer = "Mark Steere"
    source = "marksteeregames.com"
    deck = "spanish"
    lesson = LESSON
    one_deal: ClassVar[Mapping[str, Json]] = {"hands": 1}
    open_auction = True
    view_type = SuitsSteereView
    tokens = TOKENS
    actions = INDEX
    parts = staticmethod(observation.parts)
    question = staticmethod(wording.question)
    remark = staticmethod(remarks.remark)
    unseen = staticmethod(unseen)
    option_list = (
        Option("players", PLAYERS, "3", whole(PLAYERS, PLAYERS)),
        Option("hands", 3, N_("a number of hands from 1"), whole(1)),
        Option("first_dealer", 0, N_("a seat, 0 to 2"), whole(0, PLAYERS - 1)),
    )
    facts: ClassVar[tuple[Fact, ...]] = (
        Fact("hand", N_("Hand"), "number"),
        Fact("dealer", N_("Dealer"), "seat"),
        Fact("taken", N_("This hand"), "number", per_seat=True),
        Fact("score", N_("Tricks"), "number", per_seat=True),
    )

    def __init__(self, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(options)
        self.hands: int = self.options["hands"]
        self.max_boards = self.hands + 1

    @classmethod
    def variants(cls) -> tuple[Variant, ...]:
        def hands(count: int, called: str, about: str, bank: int) -> Variant:
            return cls.variant(
                f"suits-steere-{count}", called, about,
                clock=ClockRule(bank), draw_probability=0.1, points_over=count, hands=count,
            )  # fmt: skip

        # About 45 and 90 decisions of a seat in a match.
        return (
            hands(3, N_("Suits by Mark Steere, 3 hands"), N_("Three players, Spanish cards; three hands."), 10),
            hands(6, N_("Suits by Mark Steere, 6 hands"), N_("Three players, Spanish cards; six hands."), 20),
        )

    def start(self, events: list[Event] | None = None) -> SuitsSteereState:
        return SuitsSteereState(self, events)

    def draw_board(self, index: int, rng: Random) -> Deal | TieBreak:
        hands = hands_of(PACK, PLAYERS, EACH, rng)
        return TieBreak(tuple(hands[0][:PLAYERS])) if index == self.hands else _board(hands)

    def board_to_json(self, board: Deal | TieBreak) -> dict[str, Json]:
        if isinstance(board, TieBreak):
            return {"tie_break": [TOKENS[card] for card in board.cards]}
        return {"hands": [[TOKENS[card] for card in hand] for hand in board.hands]}

    def board_from_json(self, index: int, data: Json) -> Deal | TieBreak:
        return _read_tie_break(data) if index == self.hands else _board(read_hands(data, PLAYERS, EACH, INDEX))

    def sample(self, view: Mapping[str, Json], rng: Random) -> SuitsSteereState:
        return sample(self.start(), view, rng)


def _board(hands: list[list[int]]) -> Deal:
    return Deal(tuple(tuple(sorted(hand)) for hand in hands))


def _read_tie_break(data: Json) -> TieBreak:
    """Read the tie-break cards of a record. Raises `BoardError`."""
    cards = data.get("tie_break") if isinstance(data, dict) else None
    if not isinstance(cards, list) or len(cards) != PLAYERS:
        raise BoardError(f"tie_break must be a list of {PLAYERS} cards, one for each seat")
    check_cards(cards, INDEX)
    return TieBreak(tuple(INDEX[card] for card in cards))
