"""Checks of `arena up` before and while it starts parts: programs, ports and their owners."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena import rooms
from arena.cli import alone, cage, main, parts, ports, steps
from arena.cli.needs import for_this_user
from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox.inside.layers import LAYERS
from arena.sandbox.zygote import Zygote
from arena.settings import Settings
from tests import factories


def test_machine_without_cage_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The start fails before any part runs, with the reason and a remedy."""
    monkeypatch.setattr(Zygote, "probe", lambda zygote: dict.fromkeys(LAYERS, "") | {"uid": "not root"})

    with pytest.raises(ArenaFault, match=r"uid: not root.*ARENA_SANDBOX_MINIMUM=one"):
        cage.require_cage(factories.settings_in(tmp_path, ARENA_SANDBOX_MINIMUM="both"))
    said = cage.require_cage(factories.settings_in(tmp_path, ARENA_SANDBOX_MINIMUM="one"))
    assert said.line.startswith(f"{len(LAYERS) - 1} layers around every bot")


def test_refused_package_is_announced(tmp_path: Path) -> None:
    """The operator reads why bots cannot import a package, and with which versions they play."""
    settings = factories.settings_in(tmp_path, ARENA_SANDBOX_MINIMUM="one", ARENA_BOT_PACKAGES="no_such_package")

    said = cage.require_cage(settings)
    assert said.refused == ["Bots cannot import no_such_package: it is not installed (ARENA_BOT_PACKAGES)."]
    assert said.line.endswith(f"with numpy {version('numpy')}")


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A socket that listens on a port of this machine."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening


def test_port_in_use_is_explained(listener: socket.socket) -> None:
    """The message has the port, the process with its command line, and another port."""
    port = listener.getsockname()[1]
    with pytest.raises(ArenaError) as caught:
        ports.require_free("127.0.0.1", port)

    assert f"Port {port} on 127.0.0.1 is in use by process {os.getpid()} (" in str(caught.value)
    assert "ARENA_PORT=" in str(caught.value)


def test_free_port_stays_free(listener: socket.socket) -> None:
    """Checking a port does not occupy it."""
    port = listener.getsockname()[1]
    listener.close()
    ports.require_free("127.0.0.1", port)

    with socket.socket() as again:
        again.bind(("127.0.0.1", port))


def test_foreign_address_is_explained() -> None:
    """The message has the host, the reason, and the usual values."""
    with pytest.raises(
        ArenaError, match=r"cannot listen on 192\.0\.2\.1 \(ARENA_HOST\): .* Usual values: 127\.0\.0\.1"
    ):
        ports.require_free("192.0.2.1", 18000)


def test_unused_port_has_no_owner(listener: socket.socket) -> None:
    """The result is None."""
    port = listener.getsockname()[1]
    listener.close()

    assert ports.owner(port) is None


def test_broker_comes_from_the_wheel() -> None:
    """The wheel's server runs and prints its version."""
    done = subprocess.run([parts.valkey_program(), "--version"], capture_output=True, text=True, check=True)

    assert "v=" in done.stdout


def test_server_on_path_replaces_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Valkey and Redis are both accepted."""
    monkeypatch.setattr(parts, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ArenaError, match=r"No broker found.*ARENA_BROKER_URL"):
        parts.valkey_program()

    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    assert parts.valkey_program() == str(program)


@pytest.mark.parametrize("name", ["a home", "höme", "x" * 100, "100%"])
def test_unusable_socket_path_gets_a_private_folder(tmp_path: Path, name: str) -> None:
    """A home path that is too long for a socket or needs quoting in a URL is not used."""
    home = tmp_path / name
    with parts.broker_socket(factories.settings_in(home)) as path:
        assert parts.SOCKET_PATH.fullmatch(str(path))
        assert home not in path.parents
        assert path.parent.stat().st_mode & 0o077 == 0
    assert not path.parent.exists()


def test_parts_do_not_import_from_the_home_folder(tmp_path: Path) -> None:
    """Parts start in the home folder with module search there disabled, and read the same settings."""
    settings = Settings.from_env({"ARENA_HOME": str(tmp_path), "ARENA_BROKER_URL": "redis://queue/0"})
    for part in (parts.workers(settings), parts.beat(settings), parts.web(settings)):
        assert part.folder == tmp_path
        assert part.environ["PYTHONSAFEPATH"] == "1"
        assert part.environ["PYTHONPATH"].partition(os.pathsep)[0] == rooms.FOLDER
        assert part.command[0] == sys.executable
        assert Settings.from_env(part.environ) == settings


def test_ordinary_user_gets_the_weaker_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root keeps both layers, and an explicit minimum wins."""
    settings = Settings.from_env({})
    monkeypatch.delenv("ARENA_SANDBOX_MINIMUM", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    assert for_this_user(settings).sandbox_minimum == "one"

    monkeypatch.setenv("ARENA_SANDBOX_MINIMUM", "both")
    assert for_this_user(settings).sandbox_minimum == "both"

    monkeypatch.delenv("ARENA_SANDBOX_MINIMUM")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert for_this_user(settings).sandbox_minimum == "both"


@pytest.mark.parametrize("minimum", ["both", "one"])
def test_run_with_a_minimum_has_no_warning(tmp_path: Path, minimum: str) -> None:
    """A run with a minimum has no warning, because it does not start below the minimum."""
    assert cage.insecure_warning(factories.settings_in(tmp_path, ARENA_SANDBOX_MINIMUM=minimum), ["uid"]) is None


@pytest.mark.parametrize(
    ("missing", "says"),
    [
        (["uid", "seccomp"], "this machine lacks uid, seccomp"),
        pytest.param(
            [],
            "this machine has them all: unset it",
            marks=pytest.mark.skipif(os.geteuid() != 0, reason="needs root: others lack the layer uid"),
        ),
    ],
)
def test_insecure_run_has_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: list[str], says: str
) -> None:
    """`arena up` and `arena worker` warn before anything starts, and name the missing layers."""
    found = dict.fromkeys(LAYERS, "") | dict.fromkeys(missing, "not here")
    monkeypatch.setattr(Zygote, "probe", lambda zygote: found)
    monkeypatch.setattr(steps, "prepare", lambda settings, note: stop())
    monkeypatch.setattr(alone, "_usable_settings", Settings.from_env)
    monkeypatch.setattr(parts, "become", lambda part: stop())
    environ = {"ARENA_HOME": str(tmp_path), "ARENA_SANDBOX_MINIMUM": "none", "ARENA_PORT": "18699"}

    for command in ("up", "worker"):
        said = CliRunner().invoke(main, [command], env=environ).output

        assert "INSECURE RUN: ARENA_SANDBOX_MINIMUM=none" in said
        assert says in said


def stop() -> None:
    """Stop the command at this point."""
    raise ArenaError("far enough")
