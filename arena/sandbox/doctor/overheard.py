"""What processes that we start say on their way out: for the report, not for the terminal."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_STDERR: Final = 2


@contextmanager
def overheard() -> Iterator[Callable[[], str]]:
    """Keep this process's standard error to itself meanwhile; call what it gives for the last line that was said."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)  # a process that says more than fits goes on without
    before = os.dup(_STDERR)
    os.dup2(writer, _STDERR)
    os.close(writer)
    try:
        yield lambda: _last_line(reader)
    finally:
        os.dup2(before, _STDERR)
        os.close(before)
        os.close(reader)


def _last_line(reader: int) -> str:
    try:
        said = os.read(reader, 1 << 16).decode(errors="replace").split("\n")
    except BlockingIOError:
        return ""
    return next((line.strip() for line in reversed(said) if line.strip()), "")
