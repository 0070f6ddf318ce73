"""Commands on a machine with a low limit of open files, or without shared memory."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.cli.needs import NEEDED, require_descriptors
from arena.exits import ExitCode
from tests.cli.test_alone import variables

SENTENCE = (
    "arena: Only 40 files may be open, and 256 are needed. Raise the limit: ulimit -n 1024 "
    "(systemd: LimitNOFILE=1024, Docker: --ulimit nofile=1024)\n"
)


@pytest.fixture
def low(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """A limit of 40 open files that may be raised to 1000. Returns the limits set."""
    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (40, 1000))
    monkeypatch.setattr(resource, "setrlimit", lambda _, given: limits.append(given))
    return limits


def test_low_soft_limit_is_raised(low: list[tuple[int, int]]) -> None:
    """The hard limit stays, and nobody has to do anything."""
    require_descriptors()

    assert low == [(NEEDED, 1000)]


@pytest.mark.parametrize("limit", [NEEDED, 1 << 20, resource.RLIM_INFINITY])
def test_sufficient_limit_stays(low: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    """A limit that suffices, or none, is left alone."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))

    require_descriptors()

    assert low == []


@pytest.mark.parametrize(
    "command", ["up", "worker", "web", "beat", "doctor", "play suits_steere random random random --cage"]
)
def test_low_hard_limit_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Every command that serves or cages names the limit and how to raise it, before it starts anything."""

    def refuse(*_: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (40, 40))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    result = CliRunner().invoke(main, command.split(), env=variables(tmp_path / "home"))

    assert (result.stderr, result.exit_code) == (SENTENCE, ExitCode.REFUSED)
    assert not (tmp_path / "home").exists()


def test_real_limit_is_one_line(tmp_path: Path) -> None:
    """This holds also for a process that the shell limits."""
    command = ["/bin/sh", "-c", 'ulimit -n 40; exec "$0" -m arena up', sys.executable]
    done = subprocess.run(command, env=variables(tmp_path / "home"), capture_output=True, text=True)

    assert (done.stderr, done.returncode) == (SENTENCE, ExitCode.REFUSED)


@pytest.mark.parametrize("command", ["up", "worker"])
def test_missing_shared_memory_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Commands that start workers name the folder and how to mount it."""

    def missing(_: object) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("multiprocessing.context.BaseContext.Lock", missing)
    result = CliRunner().invoke(main, [command], env=variables(tmp_path / "home"))

    assert result.stderr == (
        "arena: Workers need shared memory, and /dev/shm cannot be used: No such file or directory. "
        "Mount it: mount -t tmpfs tmpfs /dev/shm\n"
    )
    assert result.exit_code == ExitCode.REFUSED
