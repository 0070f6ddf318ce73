"""The first look at an upload: syntax errors in a tenth of a second, and nothing else."""

import subprocess
import sys
from typing import Any

import pytest

from arena.games.errors import Refused
from arena.sandbox import first_look
from arena.sandbox.first_look import refuse_unparsable


@pytest.mark.parametrize(
    "upload",
    [b"def act(view):\n    return view.legal[0]\n", b"raise SystemExit", b"-" * 100_000 + b"1", b"import nothing"],
    ids=["bot", "exits", "too deep for the parser", "unknown module"],
)
def test_what_can_be_parsed_is_left_to_the_validation(upload: bytes) -> None:
    """Nothing of an upload is run, and what the parser itself fails on is not refused here."""
    refuse_unparsable(upload)


def test_syntax_error_is_refused_with_its_line() -> None:
    """The sentence is that of the validation."""
    with pytest.raises(Refused, match=r"^SyntaxError in line 3: invalid syntax\.$"):
        refuse_unparsable(b"x = 1\n\ny = = 2\n")


def test_failure_of_the_look_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the process cannot be started or takes too long, the validation decides."""
    monkeypatch.setattr(first_look, "TIMEOUT", 0.0)
    refuse_unparsable(b"y = = 2\n")
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    refuse_unparsable(b"y = = 2\n")


PROBE = """
import os

def look(upload):
    try:
        os.open("/etc/passwd", os.O_RDONLY)
    except PermissionError as refused:
        os.write(1, b"refused")
    return ()

from arena.sdk import bundle
bundle.build = look
"""


def test_parser_is_caged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that parses has no files left when it looks at the upload."""
    start, _, call = first_look._BOOT.rpartition("; ")
    monkeypatch.setattr(first_look, "_BOOT", f"{start}\n{PROBE}\n{call}")
    outputs = []
    run = subprocess.run

    def noted(*words: Any, **more: Any) -> Any:
        done = run(*words, **more)
        outputs.append(done.stdout)
        return done

    monkeypatch.setattr(subprocess, "run", noted)
    refuse_unparsable(b"x = 1")

    assert outputs == [b"refused"]
