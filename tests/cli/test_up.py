"""`arena up` with all parts as real processes."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from arena.cli.migrate import prepare
from arena.cli.parts import answers, valkey_program
from arena.exits import ExitCode
from arena.games.registry import DEFAULT_VARIANT
from arena.services.base.context import open_arena
from arena.services.bots.house import ensure_house
from arena.services.integrity.fsck import check
from arena.services.tournaments import pages as tournament_pages
from arena.settings import SETTINGS, Settings
from tests import factories
from tests.cli.processes import alive, command_of, descendants, until

pytestmark = pytest.mark.service

ARENA = [sys.executable, "-m", "arena", "up"]
FAVOURED = ["nice", "-n", "-10"] if os.geteuid() == 0 else []
"""Prefix of a command whose workers get the priority of the tests beside them, if this user may give it."""


def free_port() -> int:
    """Return an unused port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environ_of(home: Path, port: int, **more: str) -> dict[str, str]:
    """Return the environment of an arena that plays one table at a time, and none of a ladder."""
    others = {name: value for name, value in os.environ.items() if name not in [setting.name for setting in SETTINGS]}
    own = {"ARENA_HOME": str(home), "ARENA_PORT": str(port), "ARENA_WORKERS": "1", "ARENA_LADDER_SIGMA": "0"}
    return {**others, **own, **more}


class Up:
    """A running `arena up`."""

    def __init__(self, home: Path, process: subprocess.Popen[str], port: int) -> None:
        self.home, self.process, self.port = home, process, port
        self.lines: list[str] = []
        self.read_until("  Open http")

    def read_until(self, start: str) -> str:
        """Read the output up to a line that starts with `start`, and return that line."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if line.startswith(start):
                return self.lines[-1]
        raise AssertionError(f"arena up ended without {start!r}:\n" + "\n".join(self.lines))

    def part(self, name: str) -> int:
        """Return the process ID of a part."""
        line = [line for line in self.lines if line.startswith(f"  {name} ")][-1]
        return int(line.split("pid")[1].split()[0])

    def serves(self) -> bool:
        """Return whether the first page is served."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def running(home: Path, *prefix: str, **more: str) -> Iterator[Up]:
    """Run `arena up` on a home folder, by a command that runs it; stop it at the end, by force if necessary."""
    port = free_port()
    environ = environ_of(home, port, **more)
    with subprocess.Popen(
        [*prefix, *ARENA], env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield Up(home, process, port)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()


def furnish(home: Path, *games: str, **more: str) -> str:
    """Do what the first start does, with demos of these games alone; return the administrator's password.

    The demos of all games would keep the workers busy for minutes.
    """
    settings = factories.settings_in(home, **more)
    password = prepare(settings)
    with closing(open_arena(settings)) as arena:
        ensure_house(arena, games)
    assert password
    return password


def refused(home: Path, port: int, **more: str) -> str:
    """Return the stderr of an `arena up` that refuses to start."""
    done = subprocess.run(ARENA, env=environ_of(home, port, **more), capture_output=True, text=True, timeout=60)

    assert done.returncode in (ExitCode.REFUSED, ExitCode.MISCONFIGURED)
    return done.stderr


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """One arena for the tests that leave it running."""
    with running(tmp_path_factory.mktemp("up") / "home") as started:
        yield started


def test_every_part_has_a_line_and_the_address_comes_last(up: Up) -> None:
    """The output has the parts with their process IDs, the administrator's password and the address."""
    shown = "\n".join(up.lines)

    for part in ("broker", "workers", "web"):
        assert alive(up.part(part)), part
        assert (up.home / "logs" / f"{part}.log").exists()
    assert re.search(r"log in as admin with the password \S{10,} \(shown this once\)", shown)
    assert up.lines[-1].split()[1] == f"http://127.0.0.1:{up.port}"
    assert up.serves()


def test_broker_is_private_to_the_user(up: Up) -> None:
    """The socket and its folder are private, and no port is open."""
    path = up.home / "run" / "valkey.sock"

    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


def test_playing_has_a_lower_priority_than_pages(up: Up) -> None:
    """Workers are nicer than the web server and the broker, so that pages stay quick while they play."""
    usual = os.getpriority(os.PRIO_PROCESS, 0)

    assert [os.getpriority(os.PRIO_PROCESS, up.part(name)) for name in ("web", "broker")] == [usual, usual]
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in (up.part("workers"), *pool_of(up))} == {min(19, usual + 10)}


def test_second_arena_on_the_same_home_is_refused(up: Up) -> None:
    """The message names the running arena."""
    assert refused(up.home, free_port()) == (
        f"arena: An arena is already running on {up.home}: process {up.process.pid}, http://127.0.0.1:{up.port}\n"
    )


def test_used_port_is_explained(up: Up, tmp_path: Path) -> None:
    """The message has the port, its owner, and how to choose another port."""
    line = refused(tmp_path / "other", up.port)

    assert line.startswith(f"arena: Port {up.port} on 127.0.0.1 is in use by process {up.part('web')} (")
    assert line.endswith(f"Choose another one: ARENA_PORT={up.port + 1}\n")


def test_killed_web_server_is_restarted(up: Up) -> None:
    """The message has the part and the cause, and the page is served again."""
    before = up.part("web")
    os.kill(before, signal.SIGKILL)

    assert up.read_until("web died") == "web died: killed by SIGKILL. Restarting it."
    until(up.serves, "the web server answers again")
    assert not alive(before)


def test_killed_broker_is_restarted(up: Up) -> None:
    """Workers reconnect without help."""
    os.kill(up.part("broker"), signal.SIGKILL)

    assert up.read_until("broker died") == "broker died: killed by SIGKILL. Restarting it."
    until((up.home / "run" / "valkey.sock").exists, "the broker's socket is back")
    assert alive(up.part("workers"))


def test_killed_worker_process_is_replaced(up: Up) -> None:
    """Celery starts a new process, and tables continue to be played."""
    (before,) = pool_of(up)
    os.kill(before, signal.SIGKILL)

    until(lambda: [pid for pid in pool_of(up) if pid != before], "another worker process")
    assert up.process.poll() is None


def pool_of(up: Up) -> list[int]:
    """Return the processes that play tables, without their children."""
    workers = up.part("workers")
    return [pid for pid in descendants(workers) if command_of(pid) == command_of(workers)]


def test_restart_after_ctrl_c(tmp_path: Path) -> None:
    """After Ctrl-C no process is left; the second start keeps the administrator and shows no password."""
    home = tmp_path / ("a long way down/" * 12) / "home"  # too long for a socket's path
    with running(home) as first:
        started = [first.process.pid, *descendants(first.process.pid)]
        first.process.send_signal(signal.SIGINT)
        first.read_until("Stopped.")

        assert first.process.wait(30) == 0
        assert not [pid for pid in started if alive(pid)]
    with running(home) as second:
        assert second.serves()
        assert not any("password" in line for line in second.lines)
        assert (home / "logs" / "web.log.1").exists()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_postgresql_and_redis_need_two_variables(tmp_path: Path, database_url: str, broker_url: str) -> None:
    """On external servers the first tournament is played to its end, and fsck finds nothing."""
    urls = {"ARENA_DATABASE_URL": database_url, "ARENA_BROKER_URL": broker_url}
    furnish(tmp_path / "home", "suitability", **urls)
    with running(tmp_path / "home", ARENA_WORKERS="2", **urls) as started:
        arena = open_arena(Settings.from_env(environ_of(tmp_path / "home", started.port, **urls)))
        try:
            latest = partial(tournament_pages.latest, arena)
            until(lambda: {row.state for row in latest()} == {"finished"}, "the first tournament ends", 300)
            until(lambda: factories.leaderboard(arena, DEFAULT_VARIANT), "ratings", 30)

            assert not check(arena)
        finally:
            arena.close()
        assert any(line.endswith("yours (ARENA_BROKER_URL)") for line in started.lines)
        assert not (tmp_path / "home" / "arena.db").exists()


@pytest.fixture
def broker_url(tmp_path: Path) -> Iterator[str]:
    """An external broker on a port of this machine."""
    port = free_port()
    command = [valkey_program(), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        url = f"redis://127.0.0.1:{port}/0"
        until(lambda: answers(url), "the broker answers")
        yield url
        process.terminate()


def test_failed_part_stops_the_rest(tmp_path: Path) -> None:
    """The part's last output is printed, and no process remains."""
    line = refused(tmp_path, free_port(), ARENA_BROKER_URL="redis://127.0.0.1:1/0")

    assert line == (
        "arena: No broker answers at ARENA_BROKER_URL. Start it, or unset the variable to have one started.\n"
    )


def test_unreachable_database_is_one_line(tmp_path: Path) -> None:
    """The message has the setting and the driver's error."""
    line = refused(tmp_path, free_port(), ARENA_DATABASE_URL="postgresql://arena@127.0.0.1:1/arena")

    assert line.startswith("arena: The database (ARENA_DATABASE_URL) cannot be used: ")
    assert "refused" in line
    assert line.count("\n") == 1


def test_home_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    """The message has the setting."""
    (tmp_path / "file").touch()

    assert refused(tmp_path / "file" / "home", free_port()) == (
        f"arena: The folder {tmp_path}/file/home (ARENA_HOME) is not writable: Not a directory\n"
    )


def test_invalid_setting_is_one_line(tmp_path: Path) -> None:
    """No part starts, and no file is written."""
    assert refused(tmp_path / "home", 18000, ARENA_WORKERS="many") == (
        "arena: ARENA_WORKERS cannot be 'many'; allowed: a whole number from 1 to 512\n"
    )
    assert not (tmp_path / "home").exists()
