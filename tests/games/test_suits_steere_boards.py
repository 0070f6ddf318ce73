"""Options, variants and boards of Suits by Mark Steere."""

from random import Random

import pytest

from arena.games.errors import BoardError, OptionError
from arena.games.suits_steere import SuitsSteere
from tests.games.test_suits_steere import HANDS


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 4}, "players cannot be 4; allowed: 3"),
        ({"players": True}, "players cannot be True"),
        ({"hands": 0}, "hands cannot be 0; allowed: a number of hands from 1"),
        ({"hands": None}, "hands cannot be None"),
        ({"first_dealer": 3}, "first_dealer cannot be 3; allowed: a seat, 0 to 2"),
        ({"colour": 1}, "has no option 'colour'; it has players, hands, first_dealer"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], message: str) -> None:
    """The error names the option, the value and the allowed values."""
    with pytest.raises(OptionError, match=message):
        SuitsSteere(options)


def test_options_are_complete() -> None:
    """Defaults are three hands, and seat 0 as first dealer."""
    assert SuitsSteere().options == {"players": 3, "hands": 3, "first_dealer": 0}


def test_variants_differ_in_the_number_of_hands_and_credit_the_author() -> None:
    """The author asks for this; pages of the game itself show its title and designer."""
    variants = SuitsSteere.variants()

    assert (SuitsSteere.title, SuitsSteere.designer, SuitsSteere.source) == (
        "Suits", "Mark Steere", "marksteeregames.com",
    )  # fmt: skip
    assert [(variant.id, variant.options["hands"]) for variant in variants] == [
        ("suits-steere-3", 3), ("suits-steere-6", 6),
    ]  # fmt: skip
    for variant in variants:
        assert variant.title == f"Suits by Mark Steere, {variant.options['hands']} hands"


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (None, "hands must be a list of 3 hands"),
        ({"tie_break": ["AC", "2C", "3C"]}, "hands must be a list of 3 hands"),
        ({"hands": HANDS[:2]}, "hands must be a list of 3 hands"),
        ({"hands": [*HANDS[:2], HANDS[2][1:]]}, "seat 2 must have 16 cards"),
        ({"hands": [*HANDS[:2], ["AC", *HANDS[2][1:]]]}, "'AC' is not a card of this pack, or is dealt twice"),
        ({"hands": [*HANDS[:2], ["TE", *HANDS[2][1:]]]}, "'TE' is not a card of this pack"),
    ],
)
def test_invalid_boards_are_refused(board: object, message: str) -> None:
    """Wrong counts, foreign cards and duplicate cards are refused."""
    with pytest.raises(BoardError, match=message):
        SuitsSteere().board_from_json(0, board)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (None, "tie_break must be a list of 3 cards, one for each seat"),
        ({"hands": HANDS}, "tie_break must be a list of 3 cards"),
        ({"tie_break": "AC"}, "tie_break must be a list of 3 cards"),
        ({"tie_break": ["AC", "2C"]}, "tie_break must be a list of 3 cards"),
        ({"tie_break": ["AC", "2C", "AC"]}, "'AC' is not a card of this pack, or is dealt twice"),
        ({"tie_break": ["AC", "2C", "3H"]}, "'3H' is not a card of this pack"),
        ({"tie_break": ["AC", "2C", 3]}, "3 is not a card of this pack"),
    ],
)
def test_invalid_tie_break_boards_are_refused(board: object, message: str) -> None:
    """The board after the last hand has three different cards."""
    with pytest.raises(BoardError, match=message):
        SuitsSteere().board_from_json(3, board)


def test_index_of_a_board_decides_its_kind() -> None:
    """A board is a hand or, after the last hand, the tie-break; both read back as written."""
    game = SuitsSteere({"hands": 2})
    data = [game.board_to_json(game.draw_board(index, Random(1))) for index in range(3)]

    assert [list(board) for board in data] == [["hands"], ["hands"], ["tie_break"]]
    assert [game.board_to_json(game.board_from_json(index, board)) for index, board in enumerate(data)] == data
    assert game.max_boards == 3
