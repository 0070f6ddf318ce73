"""Exit codes of the arena's programs, and the sentences with which they end."""

import errno
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import IntEnum
from typing import Final, NoReturn

from arena.games.errors import ArenaError, Misconfigured, Unavailable


class ExitCode(IntEnum):
    """Exit codes of every command and of every part of the arena."""

    DONE = 0
    """The command succeeded."""
    REFUSED = 1
    """The arena refused, or a check found differences."""
    MISUSED = 2
    """The command line is invalid."""
    UNAVAILABLE = 3
    """An arena on another machine does not answer or failed, or an export cannot be written."""
    MISCONFIGURED = 78
    """A setting is invalid, or the database belongs to another release: starting again cannot help. `os.EX_CONFIG`."""
    INTERRUPTED = 130
    """Ctrl-C, as shells report it."""


SHORTAGES: Final[Mapping[int, str]] = {
    errno.EMFILE: "Too many files are open. Raise the limit: ulimit -n 1024",
    errno.ENFILE: "Too many files are open on this machine. Raise the limit: sysctl fs.file-max",
    errno.ENOSPC: "The disk is full{place}. Free some space and try again",
    errno.EDQUOT: "The disk quota is used up{place}. Free some space and try again",
    errno.EROFS: "The file system is read-only{place}. Choose another folder (ARENA_HOME)",
}
"""Sentences for errors of the operating system that may occur anywhere, by number."""


@contextmanager
def worded() -> Iterator[None]:
    """End the process with one sentence on stderr and its `ExitCode` if the block raises an error meant for people."""
    try:
        yield
    except Misconfigured as error:
        stop(f"arena: {error}", ExitCode.MISCONFIGURED)
    except Unavailable as error:
        stop(f"arena: {error}", ExitCode.UNAVAILABLE)
    except ArenaError as error:
        stop(f"arena: {error}", ExitCode.REFUSED)
    except OSError as error:
        sentence = SHORTAGES.get(error.errno or 0)
        if sentence is None:
            raise
        place = f" ({error.filename})" if error.filename else ""
        stop(f"arena: {sentence.format(place=place)}.", ExitCode.REFUSED)


def stop(line: str, code: ExitCode) -> NoReturn:
    """End the process with a line on stderr."""
    print(line, file=sys.stderr)
    sys.exit(code)
