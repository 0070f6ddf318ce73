"""Conversion of a bot's exception to a `Fault`: a sentence, the line, and a traceback without the arena's own paths.

The exception is not trusted: its text may raise or be endless.
"""

import os
import re
import sys
import traceback
from collections.abc import Collection, Iterable
from itertools import accumulate
from json.encoder import encode_basestring_ascii as quoted
from types import TracebackType
from typing import Final

import arena
from arena.sdk.faults import Fault

DETAIL_LIMIT: Final = 400
TRACEBACK_LIMIT: Final = 6000
_MARKED: Final = 50
"""Largest number of frames whose columns are marked in a traceback."""

MODULES: Final = (
    "__future__", "abc", "array", "ast", "base64", "bisect", "cmath", "collections", "collections.abc", "contextlib",
    "copy", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "gc", "graphlib", "hashlib",
    "heapq", "inspect", "io", "itertools", "json", "linecache", "logging", "math", "numbers", "operator", "os",
    "pickle", "pprint", "queue", "random", "re", "reprlib", "statistics", "string", "struct", "sys", "textwrap",
    "threading", "time", "timeit", "traceback", "types", "typing", "unicodedata", "warnings", "weakref", "zlib",
)  # fmt: skip
"""Modules that a caged bot may import besides arena.games and arena.sdk. It has no files, so it can find no others."""

_ROOTS: Final = (os.path.dirname(os.__file__), os.path.dirname(os.path.dirname(arena.__file__)))  # noqa: PTH120
PLACES: Final = re.compile("|".join([r"/[^\"'\n]{0,250}/site-packages/", *(f"{re.escape(root)}/?" for root in _ROOTS)]))
"""Installation paths of this machine, removed from messages."""
_HERE: Final = os.path.dirname(__file__)  # noqa: PTH120
_INNER: Final = ("<frozen importlib", *(os.path.join(_HERE, name) for name in ("modules.py", "timer.py")))  # noqa: PTH118
"""File name prefixes of frames that import or end a bot, which are of no use to an author."""


def fault_of(error: BaseException, files: Collection[str], stage: str) -> Fault:
    """Return the fault of a bot that raised this error; `files` are the names of its own files.

    Without any memory left, an interpreter may fail to make a `MemoryError` and to record where. It then raises a
    `SystemError` without a traceback.
    """
    file, line = _place(error, files)
    if isinstance(error, MemoryError) or (isinstance(error, SystemError) and not file):
        traceback.clear_frames(error.__traceback__)  # local variables may hold what filled the memory
        return Fault("memory", "it ran out of memory", "", line, stage, file=file)
    sentence, trace = _sendable(_sentence(error, len(files) > 1)), _sendable(_traceback(error, files))
    return Fault("error", sentence, trace, line, stage, file=file)


def cut(text: str, size: int, gap: str) -> str:
    """Replace the middle of a text by `gap` so that its JSON takes at most `size` bytes.

    One character may take up to twelve bytes in ASCII JSON.
    """
    if len(text) <= size and len(quoted(text)) <= size:
        return text
    half = (size - len(quoted(gap))) // 2
    tail = text[-half:]
    return text[: _fitting(text[:half], half)] + gap + tail[len(tail) - _fitting(reversed(tail), half) :]


def _fitting(characters: Iterable[str], size: int) -> int:
    """Return the number of leading characters whose JSON takes at most `size` bytes."""
    ends = accumulate(len(quoted(character)) - 2 for character in characters)
    return sum(end <= size for end in ends)


def _sendable(text: str) -> str:
    """Return the text with lone surrogates, which cannot be encoded, escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def _sentence(error: BaseException, several: bool) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, SyntaxError) and error.lineno:
            where = f"{error.filename}, line" if several else "line"
            text = f"{type(error).__name__} in {where} {error.lineno}: {error.msg}"
        if isinstance(error, ModuleNotFoundError):
            own = "its own modules, " if several else ""
            usual = ", ".join(MODULES)
            text += f". A bot may import {own}arena.games, arena.sdk, numpy and, from the standard library, {usual}"
            return text[: 2 * DETAIL_LIMIT]
        if isinstance(error, ImportError) and error.name == "arena.sdk":
            text += f". arena.sdk has {', '.join(sys.modules['arena.sdk'].__all__)}"
        if isinstance(error, FileNotFoundError | PermissionError) and error.filename is not None:
            text += " (a bot has no files to open; it reads its archive with arena.sdk.resource)"
        if isinstance(error, SystemExit):
            text += " (a bot must not exit: the arena ends it after the match)"
    except BaseException:
        return f"{type(error).__name__[:60]}, and its text cannot be shown"
    text = PLACES.sub("", text[: 2 * DETAIL_LIMIT])
    return text if len(text) <= DETAIL_LIMIT else text[:DETAIL_LIMIT] + "…"


def _place(error: BaseException, files: Collection[str]) -> tuple[str, int | None]:
    """Return the file and line of the innermost frame in the bot's own files; an empty name if there is none."""
    if isinstance(error, SyntaxError) and error.filename is not None and error.filename in files:
        return error.filename, error.lineno if isinstance(error.lineno, int) and error.lineno > 0 else None
    file, line = "", None
    step = error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename in files:
            file, line = step.tb_frame.f_code.co_filename, step.tb_lineno
        step = step.tb_next
    return file, line


def _traceback(error: BaseException, files: Collection[str]) -> str:
    """Return the traceback from the bot's first frame on, cut in the middle if long."""
    try:
        trace = traceback.TracebackException(type(error), error, _first_own(error.__traceback__, files))
        _simplify(trace)
        text = "".join(trace.format())
    except BaseException:
        return "(the traceback cannot be shown)"
    half = TRACEBACK_LIMIT // 2
    return PLACES.sub("", text if len(text) <= TRACEBACK_LIMIT else f"{text[:half]}\n  …\n{text[-half:]}")


def _first_own(step: TracebackType | None, files: Collection[str]) -> TracebackType | None:
    while step and step.tb_frame.f_code.co_filename not in files:
        step = step.tb_next
    return step


def _simplify(trace: traceback.TracebackException | None) -> None:
    """Remove the frames of `_INNER` and the columns of a deep stack, also from causes and from members of a group.

    Python parses each line whose columns it marks: 40 ms of a bot's time for 1,000 frames.
    """
    while trace:
        for member in trace.exceptions or ():
            _simplify(member)
        trace.stack[:] = [frame for frame in trace.stack if not frame.filename.startswith(_INNER)]
        if len(trace.stack) > _MARKED:
            for frame in trace.stack:
                frame.colno = None
        trace = trace.__cause__ or trace.__context__
