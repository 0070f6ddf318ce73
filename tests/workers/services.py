"""A broker, workers and a beat as real processes; each process that is started here is ended here."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from arena.cli.parts import answers, valkey_program
from arena.db.migrate import upgrade
from arena.settings import Settings
from tests.factories import settings_in

PATIENCE: Final = 60.0
"""Seconds after which a test stops waiting for a condition."""


def wait_for(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Poll until the condition holds; fail the test if it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not hold in time"
        time.sleep(0.1)


class Broker:
    """A Valkey on a socket in a folder, which can be ended and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url = f"redis+socket://{folder / 'valkey.sock'}"
        self.start()

    def start(self) -> None:
        """Start the server empty, and wait until it answers."""
        self.process = subprocess.Popen(
            [valkey_program(), "--port", "0", "--unixsocket", str(self._folder / "valkey.sock"), "--save", ""],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
        )
        wait_for(lambda: answers(self.url))

    def replace(self) -> None:
        """Kill the server with all that it holds, and start another."""
        self.process.kill()
        self.process.wait()
        self.start()

    def close(self) -> None:
        """End the server."""
        self.process.terminate()
        self.process.wait(15)


class Services:
    """Processes for an arena; none is left behind."""

    def __init__(self, settings: Settings, broker: Broker) -> None:
        self.settings = settings
        self.broker = broker
        self.environ = {**os.environ, **settings.environ()}
        self.processes: list[subprocess.Popen[bytes]] = []

    def worker(
        self, processes: int = 1, app: str = "workers.app", environ: Mapping[str, str] = MappingProxyType({})
    ) -> subprocess.Popen[bytes]:
        """Start a Celery worker of this app with this number of processes and these extra environment variables."""
        options = ("--concurrency", str(processes), "--without-mingle", "--without-gossip")
        return self._celery(app, environ, "worker", *options)

    def beat(self) -> subprocess.Popen[bytes]:
        """Start a beat with its own schedule file."""
        schedule = self.settings.home / f"schedule-{len(self.processes)}"
        return self._celery("workers.app", {}, "beat", "--schedule", str(schedule), "--pidfile=")

    def log(self) -> str:
        """Return the logs of all processes."""
        return "".join(path.read_text() for path in sorted(self.settings.home.glob("*.log")))

    def _celery(self, app: str, environ: Mapping[str, str], *words: str) -> subprocess.Popen[bytes]:
        log = self.settings.home / f"{len(self.processes)}-{words[0]}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "--app", app, *words],
                env={**self.environ, **environ},
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def close(self) -> None:
        """End all processes that are still running."""
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@contextmanager
def serving(home: Path, database_url: str) -> Iterator[Services]:
    """Yield services on a database, which is migrated first, and with a broker of their own."""
    # The path of a socket must be short, and pytest's folders are deep.
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as folder:
        broker = Broker(Path(folder))
        settings = settings_in(home, ARENA_DATABASE_URL=database_url, ARENA_BROKER_URL=broker.url, ARENA_LEASE="3")
        running = Services(settings, broker)
        try:
            upgrade(settings.database_url)
            yield running
        finally:
            running.close()
            broker.close()


def children(pid: int) -> list[int]:
    """Return the process IDs of the children of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
