"""What `arena up` finds out before and while it starts parts: programs, ports, who has them."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main, parts, ports, up
from arena.cli.up import for_this_user
from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox.inside.layers import LAYERS
from arena.sandbox.zygote import Zygote
from arena.settings import Settings
from tests import factories


def test_a_machine_that_cannot_hold_bots_is_told_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reason and what to do, before anything is started."""
    monkeypatch.setattr(Zygote, "probe", lambda zygote: dict.fromkeys(LAYERS, "") | {"uid": "not root"})

    with pytest.raises(ArenaFault, match=r"uid: not root.*ARENA_SANDBOX_MINIMUM=one"):
        parts.require_cage(factories.settings_in(tmp_path))
    said = parts.require_cage(factories.settings_in(tmp_path, ARENA_SANDBOX_MINIMUM="one"))
    assert said.startswith(f"{len(LAYERS) - 1} layers around every bot")


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A socket that listens on a port of this machine."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening


def test_a_port_in_use_is_explained(listener: socket.socket) -> None:
    """Port, process and its command line, and another port to try."""
    port = listener.getsockname()[1]
    with pytest.raises(ArenaError) as caught:
        ports.require_free("127.0.0.1", port)

    assert f"Port {port} on 127.0.0.1 is taken by process {os.getpid()} (" in str(caught.value)
    assert "ARENA_PORT=" in str(caught.value)


def test_a_free_port_is_left_free(listener: socket.socket) -> None:
    """Looking does not take it."""
    port = listener.getsockname()[1]
    listener.close()
    ports.require_free("127.0.0.1", port)

    with socket.socket() as again:
        again.bind(("127.0.0.1", port))


def test_an_address_of_another_machine_is_explained() -> None:
    """The host, the reason, and what is usual."""
    with pytest.raises(ArenaError, match=r"cannot listen on 192\.0\.2\.1 \(ARENA_HOST\): .* Usual: 127\.0\.0\.1"):
        ports.require_free("192.0.2.1", 18000)


def test_a_port_nobody_listens_on_has_no_owner(listener: socket.socket) -> None:
    """None, rather than a guess."""
    port = listener.getsockname()[1]
    listener.close()

    assert ports.owner(port) is None


def test_the_broker_comes_from_the_wheel() -> None:
    """It runs, and says which it is."""
    done = subprocess.run([parts.valkey_program(), "--version"], capture_output=True, text=True, check=True)

    assert "v=" in done.stdout


def test_without_the_wheel_a_server_on_path_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Valkey or Redis, whichever is there."""
    monkeypatch.setattr(parts, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ArenaError, match=r"There is no broker.*ARENA_BROKER_URL"):
        parts.valkey_program()

    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    assert parts.valkey_program() == str(program)


@pytest.mark.parametrize("name", ["a home", "höme", "x" * 100, "100%"])
def test_a_home_that_cannot_name_a_socket_gets_a_private_folder(tmp_path: Path, name: str) -> None:
    """Too long for a socket, or in need of quoting in a URL."""
    home = tmp_path / name
    with parts.broker_socket(home) as path:
        assert parts.SOCKET_PATH.fullmatch(str(path))
        assert home not in path.parents
        assert path.parent.stat().st_mode & 0o077 == 0
    assert not path.parent.exists()


def test_parts_run_where_no_module_of_somebody_lies(tmp_path: Path) -> None:
    """They start in the home folder with the search for modules there turned off, and read the same settings."""
    settings = Settings.from_env({"ARENA_HOME": str(tmp_path), "ARENA_BROKER_URL": "redis://queue/0"})
    for part in (parts.workers(settings), parts.beat(settings), parts.web(settings)):
        assert part.folder == tmp_path
        assert part.environ["PYTHONSAFEPATH"] == "1"
        assert part.command[0] == sys.executable
        assert Settings.from_env(part.environ) == settings


def test_an_ordinary_user_gets_the_weaker_minimum_and_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unless the operator decided; root keeps both layers."""
    settings = Settings.from_env({})
    monkeypatch.delenv("ARENA_SANDBOX_MINIMUM", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    assert for_this_user(settings).sandbox_minimum == "one"
    assert "ARENA_SANDBOX_MINIMUM=one" in capsys.readouterr().out

    monkeypatch.setenv("ARENA_SANDBOX_MINIMUM", "both")
    assert for_this_user(settings).sandbox_minimum == "both"

    monkeypatch.delenv("ARENA_SANDBOX_MINIMUM")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert for_this_user(settings).sandbox_minimum == "both"
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("minimum", ["both", "one"])
def test_a_run_with_a_minimum_has_no_warning(tmp_path: Path, minimum: str) -> None:
    """Whatever this machine has: below the minimum it does not start."""
    assert parts.warning(factories.settings_in(tmp_path, ARENA_SANDBOX_MINIMUM=minimum)) is None


@pytest.mark.parametrize(
    ("missing", "says"),
    [(["uid", "seccomp"], "this machine has no uid, no seccomp"), ([], "this machine has them all: unset it")],
)
def test_an_insecure_run_is_said_loudly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: list[str], says: str
) -> None:
    """By `arena up` and by `arena worker`, before anything is started, with the layers that are missing."""
    found = dict.fromkeys(LAYERS, "") | dict.fromkeys(missing, "not here")
    monkeypatch.setattr(Zygote, "probe", lambda zygote: found)
    monkeypatch.setattr(up, "prepare", lambda settings: stop())
    environ = {"ARENA_HOME": str(tmp_path), "ARENA_SANDBOX_MINIMUM": "none", "ARENA_PORT": "18699"}

    for command in ("up", "worker"):
        said = CliRunner().invoke(main, [command], env=environ).output

        assert "INSECURE RUN: ARENA_SANDBOX_MINIMUM=none" in said
        assert says in said


def stop() -> None:
    """Go no further than this."""
    raise ArenaError("far enough")
