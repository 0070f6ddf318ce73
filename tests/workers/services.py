"""A broker, workers and a beat of our own, as real processes; every one that is started here is ended here."""

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
"""Seconds until something that was waited for counts as not happening."""


def wait_for(what: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Poll until it is so; a test that waits in vain fails here."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


class Broker:
    """A Valkey on a socket in a folder, which can be ended and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url = f"redis+socket://{folder / 'valkey.sock'}"
        self.start()

    def start(self) -> None:
        """Start it, with nothing in it, and wait until it answers."""
        self.process = subprocess.Popen(
            [valkey_program(), "--port", "0", "--unixsocket", str(self._folder / "valkey.sock"), "--save", ""],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
        )
        wait_for(lambda: answers(self.url))

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(15)


class Services:
    """Starts processes for an arena; leaves none behind."""

    def __init__(self, settings: Settings, broker: Broker) -> None:
        self.settings = settings
        self.broker = broker
        self.environ = {**os.environ, **settings.environ()}
        self.processes: list[subprocess.Popen[bytes]] = []

    def worker(
        self, processes: int = 1, app: str = "workers.app", environ: Mapping[str, str] = MappingProxyType({})
    ) -> subprocess.Popen[bytes]:
        """A Celery worker with so many processes that play, on this app and with this besides in its environment."""
        options = ("--concurrency", str(processes), "--without-mingle", "--without-gossip")
        return self._celery(app, environ, "worker", *options)

    def beat(self) -> subprocess.Popen[bytes]:
        """A clock, with a memory of its own."""
        schedule = self.settings.home / f"schedule-{len(self.processes)}"
        return self._celery("workers.app", {}, "beat", "--schedule", str(schedule), "--pidfile=")

    def log(self) -> str:
        """What they all said."""
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
        """End everything that still runs."""
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
    """Services on a database that is migrated first, with a broker of their own."""
    # The address of a socket must be short, and pytest's folders are deep.
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
    """The processes that this one started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
