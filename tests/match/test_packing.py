"""The small form in which records are kept: nothing is lost, whatever is in them."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cli.random_records import random_match
from arena.games.chance import derive
from arena.games.errors import RecordError
from arena.games.registry import VARIANTS, game
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
def test_a_record_comes_back_as_it_was(variant: str) -> None:
    """Byte for byte, for every variant, with faults as without; and it was the short form that was taken."""
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
def test_whatever_is_in_a_record_comes_back(record: dict[str, Any], key: str, value: Any, inside: int) -> None:
    """Strange values in the place of something, or among it."""
    among = record.get(key)
    if inside and isinstance(among, list):
        value = [*among[:inside], value, *among[inside:]]
    strange = {**record, key: value}

    assert encode(unpack(pack(strange))) == encode(strange)


@given(record=st.dictionaries(TEXT, JSON, max_size=5))
def test_what_is_no_record_comes_back_as_well(record: dict[str, Any]) -> None:
    """It is kept as JSON."""
    assert encode(unpack(pack(record))) == encode(record)


@settings(max_examples=200, deadline=None)
@given(record=st.sampled_from(list(RECORDS.values())), data=st.data())
def test_damage_is_an_error_of_records(record: dict[str, Any], data: st.DataObject) -> None:
    """Whatever bytes there are: a record comes out, or RecordError."""
    packed = bytearray(pack(record))
    for _ in range(data.draw(st.integers(1, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(packed)))
    for damaged in (bytes(packed), bytes(packed[:cut])):
        with suppress(RecordError):
            assert isinstance(unpack(damaged), dict)


@pytest.mark.parametrize("path", sorted((GOLDEN / "packed").glob("*.bin")), ids=lambda path: path.name)
def test_what_was_packed_once_can_be_read_for_ever(path: Path) -> None:
    """In both forms: words, dictionary and order of the numbers are part of them."""
    assert unpack(path.read_bytes()) == RECORDS[path.name.split(".")[0]]


def test_a_match_of_four_deals_is_small() -> None:
    """Names of strangers included, which no dictionary knows."""
    record = random_match(game("suitability", {}), bytes(32))
    record["seats"] = [{"name": name} for name in ("Kingmaker_2", "ada-lovelace", "TheTrumpet", "zz.top-9")]

    assert len(pack(record)) < 370
