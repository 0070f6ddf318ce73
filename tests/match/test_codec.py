"""Compact form of stored records: it is lossless for every record."""

from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cli.random_records import random_match
from arena.games.chance import derive
from arena.games.errors import RecordError
from arena.games.registry import GAMES, VARIANTS, game
from arena.match.codec import inflate, shorten
from arena.match.record import encode, pack, parse, unpack
from arena.sdk.faults import KINDS

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDS = {path.stem: parse(path.read_bytes()) for path in sorted(GOLDEN.glob("*.json"))}
FAULTS = [{"seat": 0, "move": 7, "kind": kind, "detail": detail} for kind, detail in KINDS.items()]

TEXT = st.text(max_size=6) | st.sampled_from(["QS", "2", "immunity", "2D,3D", "suitability"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 300) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("variant", VARIANTS)
def test_records_round_trip_in_short_form(variant: str) -> None:
    """Records of every variant, with and without faults, come back byte for byte and use the short form."""
    rules = game(VARIANTS[variant].game, VARIANTS[variant].options)
    for number in range(3):
        record = random_match(rules, derive(bytes(32), variant, number)) | {"faults": FAULTS[:number]}

        assert encode(unpack(pack(record))) == encode(record)
        assert pack(record)[:1] == b"\x02"


@settings(max_examples=200, deadline=None)
@given(
    record=st.sampled_from(list(RECORDS.values())),
    key=st.sampled_from(["game", "seats", "boards", "moves", "faults", "note"]),
    value=JSON,
    inside=st.integers(0, 9),
)
def test_records_with_unexpected_values_round_trip(record: dict[str, Any], key: str, value: Any, inside: int) -> None:
    """A record with an unexpected value in place of another, or added to a list, comes back byte for byte."""
    among = record.get(key)
    if inside and isinstance(among, list):
        value = [*among[:inside], value, *among[inside:]]
    strange = {**record, key: value}

    assert encode(unpack(pack(strange))) == encode(strange)


@pytest.mark.parametrize(
    "boards",
    [
        [{"hands": [["2C", "3C"], ["2C", "4C"], [], []]}],
        [{"hands": [["2C", ["3C"]], [], [], []]}],
        [{"hands": [["2C", None], [], [], []]}],
        [{"cards": 2}],
    ],
    ids=["a card twice", "a list among cards", "null among cards", "a number"],
)
def test_unusual_boards_are_stored_as_json(boards: list[Any]) -> None:
    """Boards that the short form cannot express come back byte for byte."""
    record = {**RECORDS["suitability-4"], "boards": boards, "moves": []}

    assert pack(record)[:1] == b"\x01"
    assert encode(unpack(pack(record))) == encode(record)


@pytest.mark.parametrize("move", [[0], [0, "2C", "3C"], [4, "2C"], [-1, "2C"], [True, "2C"], [0, 7], "2C"])
def test_unusual_moves_are_stored_as_json(move: Any) -> None:
    """Moves that the short form cannot express come back byte for byte."""
    record = {**RECORDS["suitability-4"], "moves": [move]}

    assert pack(record)[:1] == b"\x01"
    assert encode(unpack(pack(record))) == encode(record)


def test_records_of_unknown_games_are_stored_as_json() -> None:
    """A game that is added later must not change how they are read."""
    assert pack({"game": "bridge", "seats": [], "boards": [], "moves": []})[:1] == b"\x01"


@pytest.mark.parametrize(("words", "form"), [(128, b"\x02"), (129, b"\x01")])
def test_short_form_has_room_for_128_words(words: int, form: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with more words are stored as JSON, because a word must fit into one byte."""
    tokens = [str(number) for number in range(words)]
    monkeypatch.setitem(GAMES, f"game-{words}", SimpleNamespace(tokens=tokens))
    record = {"game": f"game-{words}", "seats": [{}], "boards": [], "moves": [[0, tokens[-1]]]}

    assert pack(record)[:1] == form
    assert unpack(pack(record)) == record


@given(record=st.dictionaries(TEXT, JSON, max_size=5))
def test_other_objects_round_trip(record: dict[str, Any]) -> None:
    """JSON objects that are not records are stored as JSON."""
    assert encode(unpack(pack(record))) == encode(record)


@settings(max_examples=200, deadline=None)
@given(record=st.sampled_from(list(RECORDS.values())), data=st.data())
def test_damaged_bytes_raise_record_error(record: dict[str, Any], data: st.DataObject) -> None:
    """Damaged bytes give either a record or `RecordError`."""
    packed = bytearray(pack(record))
    for _ in range(data.draw(st.integers(1, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(packed)))
    for damaged in (bytes(packed), bytes(packed[:cut])):
        with suppress(RecordError):
            assert isinstance(unpack(damaged), dict)


@pytest.mark.parametrize("path", sorted((GOLDEN / "packed").glob("*.bin")), ids=lambda path: path.name)
def test_records_packed_by_older_releases_are_readable(path: Path) -> None:
    """Both packed forms of older releases can be read: words, dictionary and number order belong to the format."""
    assert unpack(path.read_bytes()) == RECORDS[path.name.split(".")[0]]


@pytest.mark.parametrize("path", sorted((GOLDEN / "packed").glob("*.short.bin")), ids=lambda path: path.name)
def test_short_form_is_stable(path: Path) -> None:
    """Packing an old record again gives the same short form."""
    short = shorten(RECORDS[path.name.split(".")[0]])

    assert encode(short.rest) + short.numbers == inflate(path.read_bytes()[1:])


def test_match_of_four_deals_packs_small() -> None:
    """A record stays small even with bot names that are not in the dictionary."""
    record = random_match(game("suitability", {}), bytes(32))
    record["seats"] = [{"name": name} for name in ("Kingmaker_2", "ada-lovelace", "TheTrumpet", "zz.top-9")]

    assert len(pack(record)) < 370
