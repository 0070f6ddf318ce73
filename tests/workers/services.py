"""A broker, workers and a beat of our own, as real processes; every one that is started here is ended here."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
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


class Services:
    """Starts processes for an arena; leaves none behind."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.environ = {**os.environ, **settings.environ()}
        self.processes: list[subprocess.Popen[bytes]] = []

    def worker(self, processes: int = 1) -> subprocess.Popen[bytes]:
        """A Celery worker with so many processes that play."""
        return self._celery("worker", "--concurrency", str(processes), "--without-mingle", "--without-gossip")

    def beat(self) -> subprocess.Popen[bytes]:
        """The clock."""
        return self._celery("beat", "--schedule", str(self.settings.home / "schedule"), "--pidfile=")

    def log(self) -> str:
        """What they all said."""
        return "".join(path.read_text() for path in sorted(self.settings.home.glob("*.log")))

    def _celery(self, *words: str) -> subprocess.Popen[bytes]:
        log = self.settings.home / f"{len(self.processes)}-{words[0]}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "--app", "workers.app", *words],
                env=self.environ,
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
def broker(folder: Path) -> Iterator[str]:
    """A Valkey on a socket; its URL."""
    socket = folder / "valkey.sock"
    process = subprocess.Popen(
        [valkey_program(), "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(folder)],
        stdout=subprocess.DEVNULL,
    )
    url = f"redis+socket://{socket}"
    try:
        wait_for(lambda: answers(url))
        yield url
    finally:
        process.terminate()
        process.wait(15)


@contextmanager
def serving(home: Path, database_url: str) -> Iterator[Services]:
    """Services on a database that is migrated first, with a broker of their own."""
    # The address of a socket must be short, and pytest's folders are deep.
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as folder, broker(Path(folder)) as url:
        settings = settings_in(home, ARENA_DATABASE_URL=database_url, ARENA_BROKER_URL=url, ARENA_LEASE="3")
        upgrade(settings.database_url)
        running = Services(settings)
        try:
            yield running
        finally:
            running.close()


def children(pid: int) -> list[int]:
    """The processes that this one started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
