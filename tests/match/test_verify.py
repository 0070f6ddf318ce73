"""Verification: wrong records and arbitrary bytes are refused."""

import copy
import json
from collections.abc import Callable
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
    """Return the good record, encoded, with some keys replaced; None removes a key."""
    record = {key: value for key, value in {**RECORD, **changes}.items() if value is not None}
    return json.dumps(record).encode()


def with_move(index: int, move: Any) -> list[Any]:
    """Return the good moves with one replaced."""
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
        (b'{"a": 1, "a": 2}', "duplicate key 'a'"),
        (b'{"a": NaN}', "NaN is not an integer"),
        (b'{"a": -Infinity}', "-Infinity is not an integer"),
        (b'{"a": 4.0}', "4.0 is not an integer"),
        (b'{"a": 9007199254740993}', "beyond 2\\*\\*53"),
        (b'{"a": ' + b"9" * 5000 + b"}", "beyond 2\\*\\*53"),
        (b"[" * 200000, "not a record: nested too deep|not JSON"),
        (b'{"format": "arena-record/2"}', "format must be 'arena-record/1', not 'arena-record/2'"),
        (changed(game="bridge"), "there is no game 'bridge'"),
        (changed(game=7), "game must be a string"),
        (changed(options={"players": 4}), "options must be complete: partnership, deals, points, first_dealer missing"),
        (changed(options={**RECORD["options"], "x": 1}), "no option 'x'"),
        (changed(options={**RECORD["options"], "deals": True}), "deals cannot be True"),
        (changed(seats=[{"name": "a"}] * 3), "seats must be 4 objects"),
        (changed(seats=[{"name": 1}] * 4), "seats must be 4 objects"),
        (changed(moves={}), "moves must be a list"),
        (changed(boards=[]), "board 0 is missing"),
        (changed(boards=[*RECORD["boards"], RECORD["boards"][0]]), "uses 2 boards, but the record has 3"),
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
        (changed(ranks=[True if rank == 1 else rank for rank in RECORD["ranks"]]), "ranks must be"),
        (changed(ranks=RECORD["ranks"][:3]), "ranks must be"),
        (changed(ranks=[[rank] for rank in RECORD["ranks"]]), "ranks must be"),
        (changed(faults=[7]), "fault 0: must be an object"),
        (changed(faults=[{**FAULT, "kind": []}]), "fault 0: must be an object whose kind is one of illegal, error"),
        (changed(faults=[{**FAULT, "detail": 7}]), "fault 0: detail must be a string"),
        (changed(faults=[{**FAULT, "move": len(RECORD["moves"])}]), "fault 0: seat and move must be integers"),
        (changed(faults=[{**FAULT, "move": -1}]), "fault 0: seat and move must be integers"),
        (changed(faults=[{**FAULT, "move": "7"}]), "fault 0: seat and move must be integers"),
        (changed(faults=[{**FAULT, "seat": True}]), "fault 0: seat and move must be integers"),
        (changed(faults=[{**FAULT, "seat": (FAULT["seat"] + 1) % 4}]), "was not made by seat"),
        (changed(faults=[FAULT, FAULT]), "already has a fault"),
        (changed(faults=[{**FAULT, "move": 0, "seat": 1}]), "after a fault the arena plays"),
        (changed(faults=[FAULT]), "ranks must be"),
    ],
)
def test_wrong_records_are_refused_with_reason(data: bytes, message: str) -> None:
    """The error is one line that says what is wrong and where."""
    with pytest.raises(RecordError, match=message) as caught:
        verify(data)
    assert "\n" not in str(caught.value)


def test_extra_results_must_be_right() -> None:
    """Keys that a game adds are compared by value and type, too."""
    solitaire = RECORDS[list(VARIANTS).index("suits-barnhart-solitaire")]

    for wrong in (5, solitaire["dummy_scores"][:2], None):
        with pytest.raises(RecordError, match="dummy_scores must be"):
            verify(encode({**solitaire, "dummy_scores": wrong}))


def test_integers_are_limited_to_53_bits() -> None:
    """2**53 is the largest integer in a record, positive or negative."""
    assert parse(b'{"a": 9007199254740992, "b": -9007199254740992}') == {"a": 2**53, "b": -(2**53)}
    with pytest.raises(RecordError, match="beyond 2"):
        parse(b'{"a": -9007199254740993}')


def annotated(value: Any) -> Any:
    """Return the value with an unknown key in every object."""
    if isinstance(value, dict):
        return {key: annotated(inner) for key, inner in value.items()} | {"note": {"by": [1, None]}}
    return [annotated(inner) for inner in value] if isinstance(value, list) else value


@every_record
def test_unknown_keys_are_ignored(record: dict[str, Any]) -> None:
    """Unknown keys are ignored everywhere in a record except in its options."""
    wanted = {**annotated(record), "options": record["options"]}
    verify(encode(wanted))

    with pytest.raises(RecordError, match="no option 'note'"):
        verify(encode({**wanted, "options": annotated(record["options"])}))


def test_unknown_keys_in_faults_are_ignored() -> None:
    """The last card of a match is forced, so a fault there changes only the ranks."""
    seat, scores = FAULT["seat"], RECORD["scores"]
    others = [score for other, score in enumerate(scores) if other != seat]
    ranks = [4 if other == seat else 1 + sum(score < better for better in others) for other, score in enumerate(scores)]

    verify(changed(faults=[annotated(FAULT)], ranks=ranks))


def test_deeply_nested_values_are_refused() -> None:
    """A value nested too deeply to print is refused with a message, not with a traceback."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for key in ("players", "colour"):
        with pytest.raises(RecordError, match=f"cannot be|no option '{key}'"):
            list(trace({**RECORD, "options": {**RECORD["options"], key: deep}}))
    with pytest.raises(RecordError, match="move 0: must be"):
        list(trace({**RECORD, "moves": [deep]}))
    while deep:  # freeing it in one go would recurse too deeply in some versions of Python
        deep = deep[0]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
).map(json.dumps)
nested = st.builds(
    lambda pair, depth: pair[0] * depth + "1" + pair[1] * depth,
    st.sampled_from([("[", "]"), ('{"a":', "}")]),
    st.integers(900, 1100),
)
awkward = st.sampled_from(
    [
        *("9" * 17, "-9007199254740992", "-0", "9" * 5000, "NaN", "1e400", "01", "", "[1,]", "\ufeff1"),
        *('"\\ud800"', '{"\\ud800": 1}', '"\\u0000"', '"\\u2028"', '"a\\nb"', '{"a": 1, "a": 1}', f'"{"x" * 10**5}"'),
    ]
)
HOLE = "a value goes here"


@given(st.binary(max_size=200))
def test_arbitrary_bytes_raise_record_error(data: bytes) -> None:
    """The verifier raises only `RecordError`."""
    with pytest.raises(RecordError):
        verify(data)


@settings(max_examples=300)
@given(st.data())
def test_records_with_a_replaced_value_never_break_verifier(data: st.DataObject) -> None:
    """With any value replaced by any text, verify and trace accept the record or raise a short `RecordError`."""
    record = copy.deepcopy(data.draw(st.sampled_from(RECORDS)))
    here: Any = record
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(here[key], dict | list) or not here[key] or data.draw(st.booleans()):
            break
        here = here[key]
    here[key] = HOLE
    text = json.dumps(record).replace(f'"{HOLE}"', data.draw(json_values | nested | awkward)).encode()
    for said in (refusal(verify, text), refusal(lambda data: list(trace(parse(data))), text)):
        assert len(said.encode().splitlines()) <= 1
        assert len(said) < 2000


def refusal(read: Callable[[bytes], object], data: bytes) -> str:
    """Return the error that a reader of records raises for these bytes; empty if it accepts them."""
    try:
        read(data)
    except RecordError as error:
        return str(error)
    return ""


@every_record
def test_first_illegal_move_is_named(record: dict[str, Any]) -> None:
    """An action that occurs in the record but is illegal here is refused with its index, seat and token."""
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
def test_missing_and_repeated_moves_are_refused(record: dict[str, Any]) -> None:
    """A record with a move left out or repeated is refused at some move."""
    moves = record["moves"]
    for index in Random(1).sample(range(len(moves)), 20):
        for wrong in (moves[:index] + moves[index + 1 :], [*moves[:index], moves[index], *moves[index:]]):
            with pytest.raises(RecordError, match=r"^move \d+, seat \d"):
                verify(encode({**record, "moves": wrong}))


def test_trace_stops_at_first_error() -> None:
    """The moves before the wrong one are traced, then the error is raised."""
    lines: list[dict[str, Any]] = []
    with pytest.raises(RecordError, match="move 4"):
        lines.extend(trace(parse(changed(moves=with_move(4, [FIRST_CARD[0], "X1"])))))

    assert [line.get("move") for line in lines] == [None, 0, 1, 2, 3]


def test_trace_lists_moves_between_header_and_result() -> None:
    """The first line has the size of the match, the last one its result, and each move its legal actions."""
    first, *moves, last = trace(RECORD)

    assert first == {"boards": 2, "players": 4}
    assert last == {"scores": RECORD["scores"], "ranks": RECORD["ranks"]}
    assert [[line["seat"], line["action"]] for line in moves] == RECORD["moves"]
    assert all(line.keys() == {"move", "seat", "legal", "action"} for line in moves)
    assert all(line["action"] in line["legal"] for line in moves)


def test_unknown_packed_format_is_refused() -> None:
    """The first byte identifies the packed format."""
    with pytest.raises(RecordError, match="must begin with byte 1 or 2"):
        unpack(b"zzz")
    for known in (b"\x01", b"\x02"):
        with pytest.raises(RecordError, match="not a packed record"):
            unpack(known + b"zzz")


def test_replay_shows_each_move_in_one_step() -> None:
    """Deals, tricks and scores are separate steps; each play names its move."""
    shown = replay(RECORD)
    by_move = {step["move"]: step["events"] for step in shown["steps"] if step["move"] is not None}

    assert sorted(by_move) == list(range(len(RECORD["moves"])))
    for move, events in by_move.items():
        seat, token = RECORD["moves"][move]
        assert events[0]["seat"] == seat
        assert events[0]["cards"] in ([token], [])
    assert shown["steps"][0]["events"][0]["kind"] == "deal"
    assert [event["kind"] for event in shown["steps"][0]["events"]] == ["deal"] * 5
    assert shown["game"].keys() == {"id", "title", "designer", "source", "deck"}
    assert shown["game"]["deck"] == "french"
    assert shown["facts"] == [fact._asdict() for fact in Suitability({"deals": 2}).facts]
    assert {key: shown[key] for key in ("options", "seats", "faults", "scores", "ranks")}.items() <= RECORD.items()
    assert json.loads(json.dumps(shown)) == shown
