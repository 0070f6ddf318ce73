"""The place at which a bot was when its time was over, from the dump of its own process, which is not trusted."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.sandbox import wire
from arena.sdk.blame import PLACES

DUMP_LIMIT: Final = 16 * 1024
"""Maximum number of bytes of a dump that are read; a hundred frames take fewer."""
PATIENCE: Final = 0.5
"""Seconds of real time in which a process must have written its dump."""
_FRAME: Final = re.compile(r'^  File "([^"\n]{1,255})", line (\d{1,9}) in (.{1,500})$', re.MULTILINE)
_FOREIGN: Final = ("/", "<")
"""First characters of the file names of Python and of the arena; a bot's own are relative."""


class Stack(NamedTuple):
    """The place at which a bot was; empty if it is not known."""

    traceback: str = ""
    file: str = ""
    line: int | None = None


def read(dump: bytes) -> Stack:
    """Return the bot's part of a dump of `faulthandler`, which lists the innermost frame first."""
    frames: Sequence[tuple[str, str, str]] = _FRAME.findall(wire.printable(dump.decode("ascii", "replace")))
    own = [number for number, (file, _, _) in enumerate(frames) if not file.startswith(_FOREIGN)]
    if not own:
        return Stack()
    file, line, _ = frames[own[0]]
    lines = (f'  File "{file}", line {line}, in {name}' for file, line, name in reversed(frames[own[0] : own[-1] + 1]))
    text = PLACES.sub("", "\n".join(["Its time was over here (most recent call last):", *lines]))
    return Stack(text, file, int(line))
