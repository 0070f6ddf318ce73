"""Exit codes of the arena's programs, and the sentences with which they end."""

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import NoReturn

from arena.games.errors import ArenaError, Misconfigured


class ExitCode(IntEnum):
    """Exit codes of every command and of every part of the arena."""

    DONE = 0
    """The command succeeded."""
    REFUSED = 1
    """The arena refused, or a check found differences."""
    MISUSED = 2
    """The command line is invalid."""
    MISCONFIGURED = 78
    """A setting is invalid, or the database belongs to another release: starting again cannot help. `os.EX_CONFIG`."""
    INTERRUPTED = 130
    """Ctrl-C, as shells report it."""


@contextmanager
def worded() -> Iterator[None]:
    """End the process with one sentence on stderr and its `ExitCode` if the block raises an error meant for people."""
    try:
        yield
    except Misconfigured as error:
        stop(f"arena: {error}", ExitCode.MISCONFIGURED)
    except ArenaError as error:
        stop(f"arena: {error}", ExitCode.REFUSED)
    except OSError as error:
        if error.errno not in (errno.EMFILE, errno.ENFILE):
            raise
        stop("arena: Too many files are open. Raise the limit: ulimit -n 1024", ExitCode.REFUSED)


def stop(line: str, code: ExitCode) -> NoReturn:
    """End the process with a line on stderr."""
    print(line, file=sys.stderr)
    sys.exit(code)
