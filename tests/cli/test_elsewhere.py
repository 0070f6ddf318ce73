"""Commands on systems other than Linux, and without the server's parts."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena import cli
from arena.remote import options as remote_options

COMMANDS = {
    "init separate_suits": 0,
    "check bot.py": 0,
    "play separate-suits-2 bot.py random --record match.json": 0,
    "verify match.json": 0,
    "debug match.json --move 0": 3,
    "debug match.json --move 0 --no-cage": 0,
    "bench bot.py --variant separate-suits-2 --against random -n 4 --jobs 2": 0,
    "logout --arena http://127.0.0.1:9": 1,
    "up": 3,
    "doctor": 3,
}
"""Commands, and their exit statuses."""


def test_authors_commands_work_without_linux(tmp_path: Path) -> None:
    """Nothing that only Linux has is needed; commands that run bots say once that there is no cage."""
    command = [sys.executable, "-m", "tests.cli.elsewhere", *COMMANDS]
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=True)

    assert dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith('["')) == COMMANDS, done.stderr
    uncaged = (
        "this machine cannot provide a cage, so bots run without any limit but that on their time: the cage needs Linux"
    )
    assert done.stderr.splitlines() == [
        *(f"arena {word}: {uncaged}" for word in ("check", "play")),
        "arena: the cage needs Linux; --no-cage runs bots without one",
        f"arena bench: {uncaged}",
        "arena: You are not logged in to http://127.0.0.1:9.",
        "arena: arena up needs Linux",
        "arena: arena doctor needs Linux",
    ]


def test_missing_server_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the server's parts, a command that needs them says what to install."""
    monkeypatch.setattr(cli, "find_spec", {"sqlalchemy": "another package needs it"}.get)
    install = "the server. Install it: pip install 'suit-arena[server]'"

    up, own = (CliRunner().invoke(cli.main, words) for words in (["up"], ["schedule", "list", "--local"]))

    assert (up.exit_code, up.stderr) == (
        3, f"arena: arena up needs {install}, or run it: uvx 'suit-arena[server]' up\n",
    )  # fmt: skip
    assert (own.exit_code, own.stderr) == (
        3, f"arena: An arena on this machine needs {install}, or name an arena on another machine with --arena\n",
    )  # fmt: skip


class Stub:
    """An arena that has nothing, and remembers that it was asked."""

    def __init__(self, asked: list[str], url: str) -> None:
        self._asked, self._url = asked, url

    def items(self, *_: object, **__: object) -> Iterator[object]:
        """Yield nothing."""
        self._asked.append(self._url)
        return iter(())


@pytest.mark.parametrize("noun", ["tournament", "schedule", "group", "invite", "assignment", "member"])
@pytest.mark.parametrize(
    ("options", "url", "asked"),
    [
        ((), "", "own"),
        ((), "https://arena.example", "https://arena.example"),
        (("--arena=https://other.example",), "", "https://other.example"),
        (("--arena", "https://other.example"), "https://arena.example", "https://other.example"),
        (("--local",), "https://arena.example", "own"),
    ],
)
def test_commands_ask_the_named_arena(
    noun: str, options: tuple[str, ...], url: str, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command never asks this machine's arena if `ARENA_URL` names one, unless ``--local`` asks for it."""
    found: list[str] = []
    monkeypatch.setattr(remote_options, "Remote", lambda url, token: Stub(found, url))
    monkeypatch.setattr(cli, "_own_arena", lambda: nullcontext(Stub(found, "own")))

    result = CliRunner(env={"ARENA_URL": url}).invoke(cli.main, [noun, "list", *options])

    assert (result.exit_code, found) == (0, [asked]), result.output
