"""The sentences and exit codes with which programs of the arena end."""

import errno
import os

import pytest

from arena.exits import SHORTAGES, ExitCode, worded
from arena.games.errors import ArenaFault, Misconfigured, Refused, Unavailable


@pytest.mark.parametrize(
    ("error", "line", "code"),
    [
        (Refused("Ask ada."), "arena: Ask ada.", ExitCode.REFUSED),
        (ArenaFault("no cage"), "arena: no cage", ExitCode.REFUSED),
        (Unavailable("It is away."), "arena: It is away.", ExitCode.UNAVAILABLE),
        (Misconfigured("ARENA_PORT cannot be 0"), "arena: ARENA_PORT cannot be 0", os.EX_CONFIG),
        (
            OSError(errno.ENOSPC, "", "/home/up.lock"),
            "arena: The disk is full (/home/up.lock). Free some space and try again.",
            ExitCode.REFUSED,
        ),
        (
            OSError(errno.EMFILE, ""),
            "arena: Too many files are open. Raise the limit: ulimit -n 1024.",
            ExitCode.REFUSED,
        ),
    ],
)
def test_error_ends_process_with_sentence(
    capsys: pytest.CaptureFixture[str], error: Exception, line: str, code: int
) -> None:
    """Errors meant for people are one line, and the exit code says whether another start may help."""
    with pytest.raises(SystemExit) as ended, worded():
        raise error

    assert ended.value.code == code
    assert capsys.readouterr().err == f"{line}\n"


@pytest.mark.parametrize("error", [OSError(errno.EIO, "disk error"), RuntimeError("a mistake")])
def test_unexpected_error_passes(error: Exception) -> None:
    """A mistake in the program keeps its traceback."""
    with pytest.raises(type(error)), worded():
        raise error


def test_shortage_without_file_is_complete_sentence() -> None:
    """No sentence depends on the name of a file."""
    assert not [text for text in SHORTAGES.values() if "{" in text.format(place="")]
