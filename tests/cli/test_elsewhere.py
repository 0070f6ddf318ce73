"""Commands on systems other than Linux, and without the server's parts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from arena import cli
from arena.games.errors import Unavailable

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


@pytest.mark.parametrize(
    ("command", "more"), [("up", ""), ("schedule", ", or name an arena on another machine with --arena")]
)
def test_missing_server_is_one_sentence(command: str, more: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the server's parts, a command that needs them says what to install."""
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    with pytest.raises(Unavailable) as refused:
        cli.main.get_command(click.Context(cli.main), command)

    assert str(refused.value) == (
        f"arena {command} needs the server. Install it: pip install 'suit-arena[server]'{more}"
    )


@pytest.mark.parametrize(
    ("words", "url", "module"),
    [
        (("tournament", "list"), "", "arena.cli.tournament"),
        (("tournament", "list"), "https://arena.example", "arena.remote.tournament"),
        (("tournament", "list", "--arena=https://arena.example"), "", "arena.remote.tournament"),
        (("schedule", "list", "--local"), "https://arena.example", "arena.cli.schedule"),
        (("export", "season"), "https://arena.example", "arena.remote.export"),
        (("fsck",), "https://arena.example", "arena.cli.fsck"),
    ],
)
def test_commands_act_on_the_named_arena(
    words: tuple[str, ...], url: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command never acts on this machine's arena if `ARENA_URL` names one, unless ``--local`` asks for it."""
    monkeypatch.setenv("ARENA_URL", url)
    _, command, rest = cli.main.resolve_command(click.Context(cli.main), list(words))

    assert command is not None
    assert command.callback is not None
    assert command.callback.__module__ == module
    assert "--local" not in rest
