"""Positions of records, and matches that go on from them."""

from typing import Any

import pytest

from arena.games.base import Game
from arena.games.errors import RecordError
from arena.games.registry import rules_of
from arena.match.continuation import boards_of, resume
from arena.match.record import encode
from arena.match.referee import play
from arena.match.replay import state_before, verify
from arena.sdk.player import Player
from tests.match.players import Scripted, last

SEED = bytes(32)


@pytest.mark.parametrize("variant", ["suitability-4", "suit-yourself", "suits-barnhart-4"])
@pytest.mark.parametrize("move", [0, 1, 2, 37])
def test_same_bots_go_on_as_before(variant: str, move: int) -> None:
    """The bots that played a match play the same match again from any of its positions, also within a step of all."""
    rules = rules_of(variant)
    record = _record(rules)
    again = play(
        rules, resume(record, move, _bots(rules)), _names(rules), boards_of(record, rules, SEED), [0] * rules.players
    )

    assert again.record == record


def test_other_bots_go_on_differently_on_the_same_boards() -> None:
    """The moves before the position are those of the record; a missing board is drawn from the seed."""
    rules = rules_of("suitability-4")
    record = _record(rules)
    short = {**record, "boards": record["boards"][:2]}
    others = [Scripted(lambda view: view["legal"][0]) for _ in range(4)]
    again = play(rules, resume(record, 20, others), _names(rules), boards_of(short, rules, SEED), [0] * 4).record

    verify(encode(again))
    assert again["moves"][:20] == record["moves"][:20]
    assert again["moves"] != record["moves"]
    assert again["boards"] == record["boards"]
    assert sum(len(bot.views) for bot in others) < len(record["moves"]) - 20 + 1


def test_bots_get_the_events_before_the_position() -> None:
    """The first request has all events since the start of the match; a bot that is not asked gets them at the end."""
    rules = rules_of("suitability-4")
    record = _record(rules)
    full = [Scripted(listens=True) for _ in range(4)]
    play(rules, full, _names(rules), boards_of(record, rules, SEED), [0] * 4)
    for move in (50, len(record["moves"])):
        late = [Scripted(listens=True) for _ in range(4)]
        play(rules, resume(record, move, late), _names(rules), boards_of(record, rules, SEED), [0] * 4)

        assert [bot.events for bot in late] == [bot.events for bot in full]


def test_position_is_the_state_before_the_move() -> None:
    """The seat to move and its legal actions are those that the trace of the record has."""
    rules = rules_of("suitability-4")
    record = _record(rules)
    state = state_before(record, 11)

    assert state.seat == record["moves"][11][0]
    assert record["moves"][11][1] in state.view(state.seat)["legal"]


@pytest.mark.parametrize("move", [-1, 10_000])
def test_position_outside_the_record_is_refused(move: int) -> None:
    """The message names the moves that there are."""
    record = _record(rules_of("suitability-4"))

    with pytest.raises(RecordError, match=rf"there is no move {move}; the moves are 0 to {len(record['moves']) - 1}"):
        state_before(record, move)


def _names(rules: Game) -> list[str]:
    return [f"bot-{seat}" for seat in range(rules.players)]


def _bots(rules: Game) -> list[Player]:
    return [Scripted(last, wants_forced=seat == 1) for seat in range(rules.players)]


def _record(rules: Game) -> dict[str, Any]:
    draw = boards_of({"boards": []}, rules, SEED)
    return play(rules, _bots(rules), _names(rules), draw, [0] * rules.players).record
