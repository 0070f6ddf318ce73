"""Moves of a record with what the seats knew, and the deals that it consists of."""

import json
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import pytest

from arena.games.registry import game
from arena.match.answers import Answer
from arena.match.deals import deals_of
from arena.match.moves import bank_of, moves_shown, step_of_each
from arena.match.record import pack, unpack
from arena.match.replay import replay
from tests.match.players import Scripted, failing, played


def first(view: Mapping[str, Any]) -> str:
    """Return the first legal action."""
    return str(view["legal"][0])


@pytest.mark.parametrize("id", ["suitability", "suit_yourself", "separate_suits"])
def test_every_move_has_the_view_that_was_sent(id: str) -> None:
    """Simultaneous moves have the views of the step's beginning and share its step."""
    seated = [Scripted(first) for _ in range(4)]
    record = unpack(pack(played(game(id, {"players": 4}), seated).record))
    steps = replay(record)["steps"]
    moves = json.loads(json.dumps(list(moves_shown(record, range(len(steps))))))

    assert [[move["seat"], move["action"]] for move in moves] == record["moves"]
    for seat, player in enumerate(seated):
        views = [move["view"] for move in moves if move["seat"] == seat and len(move["view"]["legal"]) > 1]
        assert views == json.loads(json.dumps(player.views))
    latest = list(accumulate(((step["move"] or -1) for step in steps), max))
    for move in moves:
        assert steps[move["step"]]["move"] >= move["move"]
        assert move["step"] == 0 or latest[move["step"] - 1] < move["move"]


def test_only_the_asked_steps_are_shown() -> None:
    """Moves of other steps are left out."""
    record = played(game("suitability", {"players": 2}), [Scripted(first), Scripted(first)]).record
    steps = step_of_each(record)

    assert [move["step"] for move in moves_shown(record, range(10, 20))] == [step for step in steps if 10 <= step < 20]


def test_moves_of_the_arena_are_marked() -> None:
    """From its fault on, a bot's moves are the arena's."""
    record = played(game("suitability", {"players": 2}), [Scripted(failing("error", 2)), Scripted(first)]).record
    [fault] = record["faults"]
    moves = list(moves_shown(record, range(10_000)))

    assert {move["arena"] for move in moves if move["seat"] == 1} == {False}
    assert [move["arena"] for move in moves if move["seat"] == 0] == [
        move >= fault["move"] for move, (seat, _) in enumerate(record["moves"]) if seat == 0
    ]


def test_times_are_charged_to_the_bank() -> None:
    """The time left includes the increment of the decision; an empty bank is shown as none, not below."""
    record = played(game("suitability", {"players": 2}), [Scripted(first), Scripted(first)]).record
    bank = bank_of(record)
    courses = {0: [Answer(1.0), None, Answer(2 * bank), Answer(0.5)]}
    own = [move for move in moves_shown(record, range(10_000), courses) if move["seat"] == 0]

    assert (own[0]["cpu"], own[0]["left"]) == (1.0, round(bank + 0.1, 3))
    assert "cpu" not in own[1]
    assert own[2]["left"] == round(bank + 0.2 - 1, 3)
    assert own[3]["left"] == 0
    assert all("cpu" not in move for move in own[4:])


def test_deals_add_up_to_the_scores() -> None:
    """Each deal begins at a step that deals cards, and the points of all deals are the scores."""
    record = played(game("suitability", {"players": 4}), [Scripted(first) for _ in range(4)]).record
    deals = deals_of(record)
    steps = replay(record)["steps"]

    assert len(deals.starts) == len(deals.scores) == 4
    assert [step for step in range(len(steps)) if steps[step]["events"][0]["kind"] == "deal"] == deals.starts
    assert [sum(points) for points in zip(*deals.scores, strict=True)] == record["scores"]
