"""Records that are wrong, and bytes that are no record at all."""

import contextlib
import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cli.random_records import random_match
from arena.games.errors import RecordError
from arena.games.registry import VARIANTS, game
from arena.games.suitability import Suitability
from arena.match.record import encode, parse, unpack
from arena.match.replay import replay, trace, verify

RECORD = random_match(Suitability({"deals": 2}), bytes(32))
RECORDS = [random_match(game(variant.game, variant.options), bytes(32)) for variant in VARIANTS.values()]
every_record = pytest.mark.parametrize("record", RECORDS, ids=list(VARIANTS))


def changed(**changes: Any) -> bytes:
    """The good record with some keys replaced; None takes a key away."""
    record = {key: value for key, value in {**RECORD, **changes}.items() if value is not None}
    return json.dumps(record).encode()


def with_move(index: int, move: Any) -> list[Any]:
    """The good moves with one replaced."""
    return [*RECORD["moves"][:index], move, *RECORD["moves"][index + 1 :]]


FIRST_CARD = RECORD["moves"][4]
FAULT = {"seat": RECORD["moves"][-1][0], "move": len(RECORD["moves"]) - 1, "kind": "crash"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not UTF-8: byte 0"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"[]", "must be a JSON object"),
        (b"{}", "format, game, options"),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
        (b'{"a": NaN}', "NaN is not an integer"),
        (b'{"a": -Infinity}', "-Infinity is not an integer"),
        (b'{"a": 4.0}', "4.0 is not an integer"),
        (b'{"a": 9007199254740993}', "beyond 2\\*\\*53"),
        (b'{"a": ' + b"9" * 5000 + b"}", "beyond 2\\*\\*53"),
        (b"[" * 200000, "not a record: nested too deep|not JSON"),
        (changed(format="arena-record/2"), "format must be 'arena-record/1', not 'arena-record/2'"),
        (changed(game="bridge"), "there is no game 'bridge'"),
        (changed(game=7), "game must be a string"),
        (changed(options={"players": 4}), "options must be complete: partnership, deals, points, first_dealer missing"),
        (changed(options={**RECORD["options"], "x": 1}), "no option 'x'"),
        (changed(options={**RECORD["options"], "deals": True}), "deals cannot be True"),
        (changed(seats=[{"name": "a"}] * 3), "seats must be 4 objects"),
        (changed(seats=[{"name": 1}] * 4), "seats must be 4 objects"),
        (changed(moves={}), "moves must be a list"),
        (changed(boards=[]), "board 0 is missing"),
        (changed(boards=[*RECORD["boards"], RECORD["boards"][0]]), "3 boards, but only 2 are used"),
        (changed(boards=[RECORD["boards"][0], {"hands": []}]), "board 1: hands must be"),
        (changed(moves=with_move(0, [1])), r"move 0: must be \[seat, action\], not \[1\]"),
        (changed(moves=with_move(0, [True, "trump:S"])), "move 0: must be"),
        (changed(moves=with_move(0, [2, "trump:S"])), "move 0, seat 2, 'trump:S': seat 1 is to move"),
        (
            changed(moves=with_move(4, [FIRST_CARD[0], "X1"])),
            f"move 4, seat {FIRST_CARD[0]}, 'X1': not allowed; legal:",
        ),
        (changed(moves=RECORD["moves"][:-1]), "missing; the match is not over"),
        (changed(moves=[*RECORD["moves"], [0, "2C"]]), "'2C': the match is over"),
        (changed(scores=[0, 0, 0, 0]), "scores must be"),
        (changed(ranks=[True, 2, 3, 4]), "ranks must be"),
        (changed(faults=[7]), "fault 0: must be an object"),
        (changed(faults=[{**FAULT, "kind": []}]), "fault 0: must be an object whose kind is one of illegal, error"),
        (changed(faults=[{**FAULT, "detail": 7}]), "fault 0: detail must be a string"),
        (changed(faults=[{**FAULT, "move": 10**6}]), "fault 0: seat and move must be integers"),
        (changed(faults=[{**FAULT, "seat": (FAULT["seat"] + 1) % 4}]), "is not one of seat"),
        (changed(faults=[FAULT, FAULT]), "has one already"),
        (changed(faults=[{**FAULT, "move": 0, "seat": 1}]), "the arena plays this seat since its fault"),
        (changed(faults=[FAULT]), "ranks must be"),
    ],
)
def test_wrong_records_are_refused_with_the_reason(data: bytes, message: str) -> None:
    """One line that names what is wrong and where."""
    with pytest.raises(RecordError, match=message) as caught:
        verify(data)
    assert "\n" not in str(caught.value)


def test_keys_that_a_reader_does_not_know_are_ignored() -> None:
    """Except in options."""
    verify(changed(id=7, seed="00", boards=[{**board, "note": "x"} for board in RECORD["boards"]]))


def test_a_value_nested_too_deep_to_print_is_refused_in_words() -> None:
    """No traceback, whatever stands where a move should be."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    record = {**RECORD, "moves": [deep]}
    with pytest.raises(RecordError, match="move 0: must be"):
        list(trace(record))
    while deep:  # taken apart by hand: freeing it at once would recurse in some versions of Python
        deep = deep[0]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_without_a_traceback(data: bytes) -> None:
    """Only RecordError leaves the verifier."""
    with pytest.raises(RecordError):
        verify(data)


@settings(max_examples=300)
@given(st.data())
def test_a_record_with_any_value_replaced_never_breaks_the_verifier(data: st.DataObject) -> None:
    """Wherever a strange value stands, the answer is ok or RecordError."""
    record = copy.deepcopy(data.draw(st.sampled_from(RECORDS)))
    here: Any = record
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(here[key], dict | list) or not here[key] or data.draw(st.booleans()):
            break
        here = here[key]
    here[key] = data.draw(json_values)
    with contextlib.suppress(RecordError):
        verify(json.dumps(record).encode())


@every_record
def test_the_first_wrong_move_is_named(record: dict[str, Any]) -> None:
    """An action that another move has but that is not legal here is refused, with its index, seat and token."""
    moves, tokens = record["moves"], {token for _, token in record["moves"]}
    rng = Random(1)
    steps = [step for step in trace(record) if tokens.difference(step.get("legal", tokens))]
    for step in rng.sample(steps, 20):
        index, seat = step["move"], step["seat"]
        token = rng.choice(sorted(tokens.difference(step["legal"])))
        wrong = {**record, "moves": [*moves[:index], [seat, token], *moves[index + 1 :]]}
        with pytest.raises(RecordError, match=rf"^move {index}, seat {seat}, '{token}': not allowed; legal: "):
            verify(encode(wrong))


@every_record
def test_a_move_left_out_or_made_twice_is_noticed(record: dict[str, Any]) -> None:
    """Whatever comes after it, no record of one match is another match's by chance."""
    moves = record["moves"]
    for index in Random(1).sample(range(len(moves)), 20):
        for wrong in (moves[:index] + moves[index + 1 :], [*moves[:index], moves[index], *moves[index:]]):
            with pytest.raises(RecordError, match=r"^move \d+, seat \d"):
                verify(encode({**record, "moves": wrong}))


def test_trace_goes_as_far_as_the_record_is_right() -> None:
    """The moves before the wrong one are traced, then the error comes."""
    lines: list[dict[str, Any]] = []
    with pytest.raises(RecordError, match="move 4"):
        lines.extend(trace(parse(changed(moves=with_move(4, [FIRST_CARD[0], "X1"])))))

    assert [line.get("move") for line in lines] == [None, 0, 1, 2, 3]


def test_what_was_not_packed_here_is_not_unpacked() -> None:
    """The first byte tells."""
    with pytest.raises(RecordError, match="begins with the byte 1 or 2"):
        unpack(b"zzz")


def test_a_replay_shows_every_move_in_its_step() -> None:
    """Deals, tricks and scores are steps of their own; each play names its move."""
    shown = replay(RECORD)
    by_move = {step["move"]: step["events"] for step in shown["steps"] if step["move"] is not None}

    assert sorted(by_move) == list(range(len(RECORD["moves"])))
    for move, events in by_move.items():
        seat, token = RECORD["moves"][move]
        assert events[0]["seat"] == seat
        assert events[0]["cards"] in ([token], [])
    assert shown["steps"][0]["events"][0]["kind"] == "deal"
    assert shown["game"]["deck"] == "french"
    assert json.loads(json.dumps(shown)) == shown
