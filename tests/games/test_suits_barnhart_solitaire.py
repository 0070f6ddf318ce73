"""The solitaire of Suits by Aaron Barnhart."""

from collections import Counter
from typing import cast

import pytest

from arena.games.base import OVER
from arena.games.events import Event
from arena.games.suits_barnhart import SuitsBarnhartState, solitaire_result
from tests.games.test_suits_barnhart import ONE, make, piles, rows, seen, started
from tests.positions import finished


def test_dummies_flip_their_top_cards() -> None:
    """Each flips one: those whose suits come first before South plays, the others after."""
    state = started("9H TD JC QS", game=ONE)
    assert (state.seat, seen(state, 0).trick, seen(state, 0).piles) == (0, [], [11, 13, 13, 13])
    state.move(0, "9H")
    assert seen(state, 0).tricks == [(3, ["9H", "TD", "JC", "QS"])]

    state = started("9H TD JC QS", game=ONE, hand=1)
    assert (state.seat, seen(state, 0).trick, seen(state, 0).piles) == (0, ["9H", "TD", "JC"], [8, 12, 12, 12])
    state.move(0, "QS")
    assert seen(state, 0).tricks == [(0, ["9H", "TD", "JC", "QS"])]
    assert (state.phase, state.actors(), len(seen(state, 0).legal)) == ("return", (0,), 24)

    state = started("9H TD JC QS", "TD", game=ONE, hand=3)
    assert (seen(state, 0).tricks, seen(state, 0).suits) == ([(2, ["9H", "TD", "JC", "QS"])], ["D", "C", "S", "H"])


def test_next_trick_begins_with_one_card_to_put_back() -> None:
    """South with hearts chooses only cards to play."""
    state = started("9H TD JC QS", "9H", game=ONE)

    assert (state.phase, seen(state, 0).drawn, seen(state, 0).pile[-1]) == ("play", ["3H", "4H"], "2H")


@pytest.mark.parametrize("west", [0, 19])
def test_south_wins_immediately_with_25_points(west: int) -> None:
    """The match ends in the middle of a hand, and nothing is put back."""
    state = started("9H TD JC QS", game=ONE, hand=1)
    state.totals = [24, west, 7, 3]
    state.move(0, "QS")

    assert (state.seat, state.phase, state.scores(), ONE.ranks(state.keys())) == (OVER, "over", [25], [1])
    assert state.extras(()) == {"result": "win", "dummy_scores": [west, 7, 3]}


@pytest.mark.parametrize("dummy", [1, 2, 3])
def test_south_loses_immediately_if_a_dummy_has_20_points(dummy: int) -> None:
    """South's own points do not matter."""
    cards = {1: "3H KD JC QS", 2: "3H TD AC QS", 3: "3H TD JC QS"}[dummy]
    state = started(cards, game=ONE)
    state.totals = [24, 18, 18, 18]
    state.totals[dummy] = 19
    state.move(0, "3H")

    assert (state.seat, state.totals[dummy]) == (OVER, 20)
    assert state.extras(())["result"] == "loss"


def test_play_continues_below_25_and_20_points() -> None:
    """24 and 19 are not enough."""
    state = started("9H TD JC QS", game=ONE, hand=1)
    state.totals = [23, 19, 19, 19]
    state.move(0, "QS")

    assert (state.phase, state.totals) == ("return", [24, 19, 19, 19])


@pytest.mark.parametrize("row", rows(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| .* \| (\w+) \|$"))
def test_worked_results_of_the_solitaire_are_right(row: tuple[str, ...]) -> None:
    """The engine agrees with the page."""
    assert solitaire_result([int(points) for points in row[:4]]) == row[4]


@pytest.mark.parametrize(
    ("points", "result"),
    [([20, 20, 0, 0], "loss"), ([24, 20, 0, 0], "loss"), ([19, 19, 0, 0], "draw"), ([25, 20, 0, 0], "win")],
)
def test_dummy_with_20_points_wins_unless_south_has_25(points: list[int], result: str) -> None:
    """Neither as many points as the dummy nor more help South below 25."""
    assert solitaire_result(points) == result


def test_points_decide_after_four_hands() -> None:
    """This ends a match that neither limit has ended."""
    results: Counter[str] = Counter()
    for seed in range(120):
        state = cast("SuitsBarnhartState", finished(ONE, seed))
        south, *others = state.totals
        expected = "win" if south > max(others) else "draw" if south == max(others) else "loss"
        if south < 25 and max(others) < 20:
            assert (state.boards, len(state.tricks)) == (4, 13)
            assert state.extras(())["result"] == expected
            results[expected] += 1
    assert min(results[result] for result in ("win", "draw", "loss")) > 0


def test_fault_loses_the_solitaire() -> None:
    """Points do not matter; the rank is the only one there is."""
    state = started(game=ONE)
    state.totals = [25, 0, 0, 0]

    assert state.extras((0,))["result"] == "loss"
    assert ONE.ranks(state.keys(), (0,)) == [1]


def test_solitaire_events_name_the_dummies() -> None:
    """South keeps the card that it wins with, and all others are discarded."""
    events: list[Event] = []
    state = ONE.start(events)
    state.boards, state.totals = 2, [24, 3, 2, 1]
    state.deal(ONE.board_from_json(2, piles("9H TD QC JS")))
    state.move(0, "QC")

    assert events[0].text == "Hand 3: {0} has clubs, West has spades, North has hearts, East has diamonds."
    assert [event.text for event in events if event.kind in ("flip", "play")] == [
        "North flips 9H.", "East flips TD.", "{0} plays QC.", "West flips JS.",
    ]  # fmt: skip
    tricks = [(event.cards, event.source, event.target) for event in events if event.kind in ("trick", "discard")]
    assert tricks == [
        (("QC",), "table:0", "won:0"), (("9H",), "north", "discard"),
        (("TD",), "east", "discard"), (("JS",), "west", "discard"),
    ]  # fmt: skip
    trick = next(event for event in events if event.kind == "trick")
    assert (trick.text, trick.seat) == ("{0} wins the trick with QC: 1 point.", 0)
    assert trick.facts == {"points": [1], "score": [25], "west": 3, "north": 2, "east": 1}
    assert [event.text for event in events[-2:]] == [
        "Points after hand 3: {0} 25, West 3, North 2, East 1.",
        "{0} wins.",
    ]


def test_dummy_wins_only_points() -> None:
    """Its trick is discarded, including South's card."""
    events: list[Event] = []
    state = ONE.start(events)
    state.deal(ONE.board_from_json(0, piles("9H TD QC JS")))
    state.move(0, "9H")
    trick = next(event for event in events if event.kind == "trick")

    assert (trick.text, trick.seat, trick.target) == ("North wins the trick with QC: 1 point.", None, "discard")
    assert (trick.cards, trick.source, trick.facts["north"]) == (("QC",), "north", 1)
    assert [(event.cards, event.source) for event in events if event.kind == "discard"] == [
        (("9H",), "table:0"), (("TD",), "west"), (("JS",), "east"),
    ]  # fmt: skip


def test_south_puts_back_in_a_separate_step_if_there_is_a_choice() -> None:
    """A single card goes back in the step of the trick."""
    for hand, moves, step in ((0, "2H", False), (3, "2D 4D,3D", True)):
        events: list[Event] = []
        state = ONE.start(events)
        state.boards = hand
        state.deal(ONE.board_from_json(hand, piles()))
        make(state, moves)

        assert [event.step for event in events if event.kind == "return"] == [step]
