"""The picture of a connection in a terminal, and lines elsewhere."""

import os
import re
import subprocess
import sys
import time
from contextlib import closing, suppress
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from arena.cli.conformance import troubles
from arena.cli.conformance.server import TOKEN, MockArena
from arena.remote.connect import Connection
from arena.remote.http import Remote
from arena.remote.link import Away, Link
from arena.remote.picture import picture
from arena.remote.seats import Question
from tests.remote.conftest import TOKEN as OTHER
from tests.remote.conftest import URL

ASKED = Question("abc", 4, 1, ("greedy", "you\x1b", "random"), "suitability-3", "suitability", {},
                 {"legal": ["7h"], "scores": [1, 20, 3]}, [])  # fmt: skip


class Still:
    """A table that does nothing."""

    def __init__(self, latest: Question | None, *times: float) -> None:
        self.code, self.latest, self.times, self.errors = "abc", latest, [*times], 1


def shown(connection: Connection) -> str:
    """Return a picture as text."""
    console = Console(width=100, record=True, file=StringIO())
    console.print(picture(connection))
    return console.export_text()


def test_picture_has_tables_totals_and_the_state_of_the_network() -> None:
    """A table without a question has a code only; the reason of an absence stays, with the time since when."""
    found = Connection(Link(Remote(URL, OTHER), 20.0), lambda: pytest.fail("no question"), {}, 2, 2)
    assert re.findall(r"\S.*", shown(found))[1:] == ["0 matches; 0 errors", "connected"]

    found.playing = {"abc": Still(ASKED, 0.25, 0.5), "def": Still(None)}  # type: ignore[dict-item]
    found.scores, found.ranks = [4, 5], [1, 2]
    since = time.mktime((2026, 1, 2, 12, 4, 31, 0, 0, -1))
    found.link.away = Away(since, "The arena starts.")

    head, first, second, *totals = re.findall(r"\S.*", shown(found))
    assert head.split() == ["table", "variant", "opponents", "move", "points", "last", "answer"]
    assert re.split(r"  +", first) == ["abc", "suitability-3", "greedy, random", "4", "20", "0.50 s"]
    assert second.strip() == "abc"
    assert totals == [
        "2 matches, mean score 4.5, mean rank 1.50; 2 errors",
        "answers: 50 % within 0.38 s, 95 % within 0.49 s, 99 % within 0.50 s",
        "trying again since 12:04:31: The arena starts.",
    ]


ENGINE = """#!/usr/bin/env python3
import json, sys
print("I think", file=sys.stderr)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "act":
        print(json.dumps({"id": asked["id"], "action": asked["view"]["legal"][0]}), flush=True)
"""


def test_terminal_shows_the_picture_and_what_programs_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of programs come above it, also those that go to standard error."""
    for name, value in {"ASKING": (troubles.RESTART,), "MOVING": (), "OPENING": ()}.items():
        monkeypatch.setattr(troubles, name, value)
    engine = tmp_path / "engine"
    engine.write_text(ENGINE)
    engine.chmod(0o755)
    environ = {**os.environ, "ARENA_TOKEN": TOKEN, "TERM": "xterm", "COLUMNS": "100", "LINES": "30"}
    command = [sys.executable, "-m", "arena", "connect", str(engine), "--length", "deal"]
    with closing(MockArena(bytes(32))) as mock:
        said = in_terminal([*command, "--arena", mock.url], environ)

    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said)
    assert "I think" in text
    assert "opponents" in text
    assert "trying again since" in text
    assert "1 matches: mean score" in text


def in_terminal(command: list[str], environ: dict[str, str]) -> str:
    """Run a command in a terminal and return what it writes there."""
    terminal, inside = os.openpty()
    process = subprocess.Popen(command, env=environ, stdin=inside, stdout=inside, stderr=inside)
    os.close(inside)
    parts = list[bytes]()
    with suppress(OSError):  # the end, as Linux reports it
        while part := os.read(terminal, 2**16):
            parts.append(part)
    os.close(terminal)
    assert process.wait(60) == 0, b"".join(parts)
    return b"".join(parts).decode()
