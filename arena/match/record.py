"""The match record, format ``arena-record/1``: one JSON object with everything needed to replay the match.

Records contain no measurements, so equal play gives equal bytes. `encode` and `parse` convert to and from the public
form, `pack` and `unpack` the compact one that the database stores.
"""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn

from arena.games.base import Game
from arena.games.errors import OptionError, RecordError, shown
from arena.games.registry import stored_game
from arena.match.codec import NotCompactable, Short, boards_of, deflate, inflate, lengthen, shorten

FORMAT: Final = "arena-record/1"
LARGEST: Final = 2**53
PACKED_JSON: Final = b"\x01"
"""First byte of a packed record that continues with the encoded record, compressed."""
PACKED_SHORT: Final = b"\x02"
"""First byte of a packed record that continues with its short form, compressed; see `arena.match.codec`."""

DAMAGE: Final = (zlib.error, ArithmeticError, LookupError, StopIteration, TypeError, NotCompactable, ValueError)
"""Exceptions that decoding arbitrary bytes may raise."""


def build(
    game: Game,
    names: Sequence[str],
    boards: Sequence[Mapping[str, Any]],
    moves: Sequence[tuple[int, str]],
    faults: Sequence[Mapping[str, Any]],
    results: Mapping[str, Any],
) -> dict[str, Any]:
    """Return a record made from its parts. `results` holds the scores, the ranks and the keys that the game adds."""
    return {
        "format": FORMAT,
        "game": game.id,
        **({"revision": game.revision()} if game.revision() > 1 else {}),
        "options": dict(game.options),
        "seats": [{"name": name} for name in names],
        "boards": list(boards),
        "moves": [list(move) for move in moves],
        "faults": list(faults),
        **results,
    }


def game_of(record: Mapping[str, Any]) -> Game:
    """Return the game of a record with its options. Raises `OptionError`."""
    return stored_game(record["game"], record["options"])


def is_of(record: Mapping[str, Any], game: Game) -> bool:
    """Return whether a record is of this game with these options."""
    try:
        return game_of(record).id == game.id and game_of(record).options == game.options
    except OptionError:
        return False


def encode(record: Mapping[str, Any]) -> bytes:
    """Return the record as canonical bytes: equal records give equal bytes."""
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def pack(record: Mapping[str, Any]) -> bytes:
    """Return the record in the form that the database stores."""
    try:
        short = shorten(record)
    except NotCompactable:
        return PACKED_JSON + zlib.compress(encode(record), 9)
    return PACKED_SHORT + deflate(encode(short.rest), short.numbers)


def unpack(packed: bytes) -> dict[str, Any]:
    """Return the record from its packed form. Raises `RecordError`."""
    try:
        if packed[:1] == PACKED_SHORT:
            return lengthen(_short(packed))
        if packed[:1] == PACKED_JSON:
            return parse(zlib.decompress(packed[1:]))
    except DAMAGE as error:
        raise RecordError(f"not a packed record: {error!r}") from None
    raise RecordError(f"a packed record must begin with byte 1 or 2, not {packed[:1]!r}")


def unpack_boards(packed: bytes) -> list[Any]:
    """Return only the boards of a packed record, which takes half the time. Raises `RecordError`."""
    if packed[:1] != PACKED_SHORT:
        return list(unpack(packed)["boards"])
    try:
        return boards_of(_short(packed))
    except DAMAGE as error:
        raise RecordError(f"not a packed record: {error!r}") from None


def _short(packed: bytes) -> Short:
    text, numbers = inflate(packed[1:]).split(b"\n", 1)
    return Short(parse(text), numbers)


def parse(data: bytes) -> dict[str, Any]:
    """Return the JSON object in `data`. Raises `RecordError` for any other bytes.

    Duplicate keys, fractions, exponents, NaN, Infinity and integers beyond 2**53 are errors.
    """
    try:
        text = data.decode()
        parsed = json.loads(
            text, object_pairs_hook=_object, parse_float=_no_float, parse_constant=_no_float, parse_int=_integer
        )
    except UnicodeDecodeError as error:
        raise RecordError(f"not UTF-8: byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise RecordError("not a record: nested too deeply") from None
    if not isinstance(parsed, dict):
        raise RecordError("not a record: it must be a JSON object")
    return parsed


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise RecordError(f"duplicate key {shown(key)} in an object")
        result[key] = value
    return result


def _no_float(text: str) -> NoReturn:
    raise RecordError(f"{text[:40]} is not an integer; all numbers in a record must be integers")


def _integer(text: str) -> int:
    # Check the length first: Python refuses to convert thousands of digits, with an error of its own.
    if len(text) > 17 or abs(int(text)) > LARGEST:
        raise RecordError(f"the integer {text[:20]} is beyond 2**53")
    return int(text)
