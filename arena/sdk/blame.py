"""What a bot's exception is told as: a `Fault` with a sentence, the line, and a traceback without our own paths.

Nothing here trusts the exception: its text may raise, or be endless.
"""

import os
import re
import traceback
from collections.abc import Collection
from types import TracebackType
from typing import Final

import arena
from arena.sdk.faults import Fault

DETAIL_LIMIT: Final = 400
TRACEBACK_LIMIT: Final = 6000

MODULES: Final = (
    "__future__", "abc", "array", "ast", "base64", "bisect", "cmath", "collections", "collections.abc", "contextlib",
    "copy", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "gc", "graphlib", "hashlib",
    "heapq", "inspect", "io", "itertools", "json", "linecache", "logging", "math", "numbers", "operator", "os",
    "pickle", "pprint", "queue", "random", "re", "reprlib", "statistics", "string", "struct", "sys", "textwrap",
    "threading", "time", "timeit", "traceback", "types", "typing", "unicodedata", "warnings", "weakref", "zlib",
)  # fmt: skip
"""What a caged bot may import besides arena.games and arena.sdk. There are no files, so nothing else can be found."""

_ROOTS: Final = (os.path.dirname(os.__file__), os.path.dirname(os.path.dirname(arena.__file__)))  # noqa: PTH120
_PLACES: Final = re.compile(
    "|".join([r"/[^\"'\n]{0,250}/site-packages/", *(f"{re.escape(root)}/?" for root in _ROOTS)])
)
"""Where things are installed on this machine, which is nobody else's business."""
_IMPORTING: Final = ("<frozen importlib", os.path.join(os.path.dirname(__file__), "modules.py"))  # noqa: PTH118, PTH120
"""How the files of frames begin that carry out an import statement, and say nothing to an author."""


def fault_of(error: BaseException, files: Collection[str], stage: str) -> Fault:
    """The verdict on a bot that raised this; `files` are the names of its own.

    An interpreter without any memory left may fail to make a MemoryError, and to note where: what it raises then is a
    SystemError from nowhere.
    """
    file, line = _place(error, files)
    if isinstance(error, MemoryError) or (isinstance(error, SystemError) and not file):
        traceback.clear_frames(error.__traceback__)  # what filled the memory may hang on a local variable
        return Fault("memory", "it ran out of memory", "", line, stage, file=file)
    sentence, told = _sendable(_sentence(error, len(files) > 1)), _sendable(_traceback(error, files))
    return Fault("error", sentence, told, line, stage, file=file)


def _sendable(text: str) -> str:
    """The text without lone surrogates, which have no bytes: spelled out, as where they are printed."""
    return text.encode("utf-8", "backslashreplace").decode()


def _sentence(error: BaseException, several: bool) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, SyntaxError) and error.lineno:
            where = f"{error.filename}, line" if several else "line"
            text = f"{type(error).__name__} in {where} {error.lineno}: {error.msg}"
        if isinstance(error, ModuleNotFoundError):
            own = "its own modules, " if several else ""
            text += f". A bot may import {own}arena.games, arena.sdk and of the standard library {', '.join(MODULES)}"
            return text[: 2 * DETAIL_LIMIT]
        if isinstance(error, FileNotFoundError | PermissionError) and error.filename is not None:
            text += " (a bot has no files to open: what is in its archive it reads with arena.sdk.resource)"
        if isinstance(error, SystemExit):
            text += " (a bot must not exit: the arena ends it after the match)"
    except BaseException:
        return f"{type(error).__name__[:60]}, and its text cannot be shown"
    text = _PLACES.sub("", text[: 2 * DETAIL_LIMIT])
    return text if len(text) <= DETAIL_LIMIT else text[:DETAIL_LIMIT] + "…"


def _place(error: BaseException, files: Collection[str]) -> tuple[str, int | None]:
    """The innermost line of the bot's own files, and its file; an empty name where there is none."""
    if isinstance(error, SyntaxError) and error.filename is not None and error.filename in files:
        return error.filename, error.lineno
    file, line = "", None
    step = error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename in files:
            file, line = step.tb_frame.f_code.co_filename, step.tb_lineno
        step = step.tb_next
    return file, line


def _traceback(error: BaseException, files: Collection[str]) -> str:
    """The traceback from the bot's first frame on, cut in the middle where long."""
    try:
        told = traceback.TracebackException(type(error), error, _first_own(error.__traceback__, files))
        _leave_out_imports(told)
        text = "".join(told.format())
    except BaseException:
        return "(the traceback cannot be shown)"
    half = TRACEBACK_LIMIT // 2
    return _PLACES.sub("", text if len(text) <= TRACEBACK_LIMIT else f"{text[:half]}\n  …\n{text[-half:]}")


def _first_own(step: TracebackType | None, files: Collection[str]) -> TracebackType | None:
    while step and step.tb_frame.f_code.co_filename not in files:
        step = step.tb_next
    return step


def _leave_out_imports(told: traceback.TracebackException | None) -> None:
    """Take the frames out that stand between an import statement and the module; of causes as well."""
    while told:
        told.stack[:] = [frame for frame in told.stack if not frame.filename.startswith(_IMPORTING)]
        told = told.__cause__ or told.__context__
