"""The course of a seat's answers in a match: which moves it was asked for, how long each took, and what it printed.

It is measured, so it is no part of the record. `pack` and `unpack` convert it to and from the form that the database
stores, about a byte for each move.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import floor, log2
from typing import Any, Final, NamedTuple

START: Final = 1e-6
"""Shortest time that is distinguished, in seconds."""
PER_OCTAVE: Final = 8
"""Number of bins for each doubling of the time: times are stored to 5 %."""
BINS: Final = 254
_PRINTED: Final = 255
"""Byte before the lengths of what was printed."""

DAMAGE: Final = (zlib.error, IndexError)
"""Exceptions that unpacking arbitrary bytes may raise."""


class Answer(NamedTuple):
    """An answer of a bot."""

    cpu: float
    """CPU time in seconds."""
    printed: int = 0
    """Number of characters printed from the answer before it to this one."""


Course = Sequence[Answer | None]
"""For each of the seat's own moves up to its last answer: the answer; None if the bot was not asked."""


def course(own: Sequence[int], asked: Sequence[int], times: Sequence[float], printed: Sequence[int]) -> Course:
    """Return the course of a seat that was `asked` for some of its `own` moves, both as indices in the record.

    `times` has the CPU seconds of each answer, `printed` the length of the output at each; it may be empty.
    """
    lengths = [now - before for before, now in zip([0, *printed], printed, strict=False)] or [0] * len(asked)
    answers = dict(zip(asked, map(Answer, times, lengths), strict=False))
    last = max((number for number, move in enumerate(own) if move in answers), default=-1)
    return [answers.get(move) for move in own[: last + 1]]


def pack(answers: Course) -> bytes:
    """Return a course in the form that the database stores; empty if there are no answers."""
    if not answers:
        return b""
    times = bytes(0 if one is None else 1 + _bin(one.cpu) for one in answers)
    lengths = [0 if one is None else one.printed for one in answers]
    texts = bytes([_PRINTED, *(byte for length in lengths for byte in _written(length))]) if any(lengths) else b""
    return zlib.compress(times + texts, 9, -zlib.MAX_WBITS)


def unpack(packed: bytes) -> Course:
    """Return a course from its packed form. Raises one of `DAMAGE` if it is damaged."""
    if not packed:
        return []
    times, _, texts = zlib.decompress(packed, -zlib.MAX_WBITS).partition(bytes([_PRINTED]))
    lengths = list(_read(texts)) if texts else [0] * len(times)
    return [Answer(_middle(time - 1), lengths[number]) if time else None for number, time in enumerate(times)]


def texts(output: str, answers: Course, own: Sequence[int]) -> tuple[dict[int, str], str]:
    """Split the output of a bot: what it printed for each of its `own` moves, and after its last answer."""
    lengths = [0 if one is None else one.printed for one in answers]
    ends = list(accumulate(lengths))
    pieces = {move: output[end - length : end] for move, length, end in zip(own, lengths, ends, strict=False) if length}
    return pieces, output[ends[-1] if ends else 0 :]


def own_moves(record: Mapping[str, Any], seat: int) -> Sequence[int]:
    """Return the indices of a seat's moves in a record."""
    return [move for move, (mover, _) in enumerate(record["moves"]) if mover == seat]


def _bin(seconds: float) -> int:
    return min(floor(PER_OCTAVE * log2(max(seconds, START) / START)), BINS - 1)


def _middle(bin: int) -> float:
    return float(START * 2 ** ((bin + 0.5) / PER_OCTAVE))


def _written(number: int) -> Iterator[int]:
    """Yield a number as bytes of seven bits, the lowest first; all but the last are 128 or more."""
    while number > 127:
        yield number & 127 | 128
        number >>= 7
    yield number


def _read(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
