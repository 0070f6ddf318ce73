"""``arena connect --check``: what clients do wrong at a mock arena is named, and ours does nothing wrong."""

import re
import socket
import time
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.cli.conformance import run, server, troubles
from arena.cli.conformance.server import TOKEN, MockArena, Said, _Handler
from arena.cli.conformance.troubles import Trouble
from arena.remote.http import API
from tests.cli.conformance.conftest import SEED, RawClient
from tests.cli.test_up import free_port

TABLES = 6
"""Number of tables at which all troubles happen."""
PROGRAM = """#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "act":
        print(json.dumps({"id": asked["id"], "action": asked["view"]["legal"][-1]}), flush=True)
"""
CUT_OFF = f"""POST {API}/live-tables/table-1/moves HTTP/1.1
Authorization: Bearer {TOKEN}
Content-Type: application/json
Content-Length: 30

{{"number":"""


@pytest.mark.parametrize("name", ["bot.py", "engine"])
def test_our_client_does_nothing_wrong(tmp_path: Path, name: str) -> None:
    """A Python bot and a program meet all troubles, and go on with a table that was not opened by them."""
    bot = tmp_path / name
    bot.write_text("def act(view):\n    return view.legal[-1]\n" if name == "bot.py" else PROGRAM)
    bot.chmod(0o755)

    result = CliRunner().invoke(main, ["connect", str(bot), "--check"])

    assert "The client did nothing wrong." in result.output
    assert "26 of 26 troubles" in result.output
    assert result.exit_code == 0


def test_bot_that_fails_does_not_pass(tmp_path: Path) -> None:
    """The check of a bot includes the bot."""
    bot = tmp_path / "bot.py"
    bot.write_text("def act(view):\n    return 1 / 0\n")

    result = CliRunner().invoke(main, ["connect", str(bot), "--check"])

    assert "ZeroDivisionError" in result.output
    assert "- The client failed at tables: " in result.output
    assert result.exit_code == 1


def played(mock: MockArena, wrong: str = "") -> list[str]:
    """Let a client play, and return what it does wrong."""
    with RawClient(mock.url, wrong).playing(TABLES if mock.total else 0):
        run.watch(mock)
    return mock.judge.findings()


def test_command_waits_for_a_client(capsys: pytest.CaptureFixture[str]) -> None:
    """A client of thirty lines passes; the address and the token are on the first line."""
    port = free_port()

    with RawClient(f"http://127.0.0.1:{port}").playing(TABLES):
        assert run.check_client("0", port) == 0

    said = capsys.readouterr().out
    assert said.startswith(f"mock arena: http://127.0.0.1:{port}/api/v1, token: {TOKEN}\n")
    assert "26 of 26 troubles\nThe client did nothing wrong.\n" in said


def test_client_that_ends_early_has_to_play_more(capsys: pytest.CaptureFixture[str]) -> None:
    """Such a client may be right, but nobody knows."""
    port = free_port()

    with RawClient(f"http://127.0.0.1:{port}").playing(0):
        assert run.check_client("0", port) == 1

    assert "The client did nothing wrong.\nLet it play more tables" in capsys.readouterr().out


def test_port_that_is_taken_is_a_sentence(mock: MockArena) -> None:
    """A command without a bot is refused as well."""
    taken = CliRunner().invoke(main, ["connect", "--check", "--port", mock.url.rpartition(":")[2]])
    assert "cannot be used: Address already in use" in taken.output
    assert "name a BOT, or give --check" in CliRunner().invoke(main, ["connect"]).output


WRONG: Final[dict[str, tuple[str, tuple[Trouble, ...]]]] = {
    "answers twice": (r"answered question \d+ of table-1 twice with different moves: ", ()),
    "guesses": (r"answered question \d+ of table-1, which was never asked", ()),
    "does not learn": (r"gave another illegal action for question \d+ of table-1 after the legal ones were named", ()),
    "forgets its type": ("sent a body without `Content-Type: application/json`", ()),
    "token in address": ("sent the token in the address", ()),
    "does not wait": ("asked for questions 10 times within a second without news: use `wait`", ()),
    "leaves a table": (r"did not answer question \d+ of table-1 within 1 s", ()),
    "hurries": (r"asked again after 0\.\d s, although `Retry-After` named 1 s", (troubles.BUSY,)),
    "ignores pause": (r"asked again after 0\.\d s, although `pause` named 0\.5 s", (troubles.PAUSE,)),
    **{
        f"gives up {one.name}": (re.escape(one.failing), (one,))
        for one in (troubles.LOST, troubles.CUT, troubles.PAGE, troubles.RESTART, troubles.SILENT)
    },
    "goes on after the end": (r"went on to send moves to table-1 after its end", (troubles.GIVEN_UP,) * 3),
}
"""What is found in clients that do one thing wrong, and the troubles in which it shows."""


@pytest.mark.parametrize("wrong", WRONG)
def test_faults_of_a_client_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    """Each is found in a client that is right in everything else."""
    sentence, met = WRONG[wrong]
    for name, value in {"ASKING": met, "MOVING": (), "OPENING": ()}.items():
        monkeypatch.setattr(troubles, name, value)
    mock = MockArena(SEED, patience=1.0)
    with closing(mock):
        found = played(mock, "gives up" if wrong.startswith("gives up") else wrong)

    assert [one for one in found if re.match(sentence, one)], found
    assert len(found) == 1
    assert run.report(mock) == 1
    assert "- The client " in capsys.readouterr().out


def test_same_seed_makes_the_same_tables_and_troubles() -> None:
    """Another seed makes others."""

    def made(seed: bytes) -> object:
        with closing(MockArena(seed)) as mock:
            plan = mock.plans["GET /seats/next"]
            return [plan.next() for _ in range(40)], mock.tables.tables["table-1"].question(-1)

    assert made(SEED) == made(SEED) != made(bytes([1] * 32))


def test_body_that_a_restart_cuts_off_is_no_fault(mock: MockArena) -> None:
    """The client could not finish sending it."""
    host, port = urlsplit(mock.url).netloc.split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(CUT_OFF.encode())
        while not mock.connections:
            time.sleep(0.01)
        mock.restart()
        assert connection.recv(1) == b""

    assert mock.judge.findings() == []


def test_pause_that_could_not_be_sent_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A restart may hang up before the answer that names it."""
    monkeypatch.setattr(troubles, "ASKING", (troubles.BUSY,))
    deliver = _Handler._deliver

    def cut(self: _Handler, said: Said, trouble: Trouble | None) -> None:
        if trouble is troubles.BUSY:
            self.connection.shutdown(socket.SHUT_RDWR)
        deliver(self, said, trouble)

    monkeypatch.setattr(_Handler, "_deliver", cut)
    with closing(MockArena(SEED)) as mock:
        client = RawClient(mock.url)
        assert client.ask("GET", "/seats/next")
        assert client.ask("GET", "/seats/next")
        assert [mock.plans["GET /seats/next"].met, mock.judge.findings()] == [1, []]


def test_two_restarts_at_once_are_one(mock: MockArena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mock arena listens again once."""
    listened = list[int]()
    monkeypatch.setattr(MockArena, "_listen", lambda _, port: listened.append(port))
    mock.restart()
    mock.restart()
    time.sleep(3 * server.DOWN)

    assert listened == [int(mock.url.rpartition(":")[2])]
