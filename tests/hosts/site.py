"""The hosts of an arena, its tournament, and how long everything takes."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import click
from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from arena.db.models import Attempt, MatchSeat, Table, Tournament
from arena.services.base.context import open_arena
from arena.services.tournaments import stages
from tests import factories
from tests.faults import course
from tests.faults.test_disturbed_postgresql import faked
from tests.hosts.network import Host
from tests.workers.services import wait_for

ARENA: Final = (sys.executable, "-m", "arena")
CUP: Final = "Cup of the minute"
BOTS: Final = 28
"""A league has 63 tables."""
ENOUGH: Final = 30
"""Smallest number of tables that are left when a step begins."""
PATIENCE: Final = 300.0
"""Seconds after which an event counts as failed."""
LOCK: Final = """
import time
from sqlalchemy import text
from arena.services.base.context import open_arena
from arena.settings import Settings
with open_arena(Settings.from_env()).transaction() as session:
    session.execute(text("UPDATE tournaments SET id = id"))
    print("held", flush=True)
    time.sleep(3600)
"""
"""A program that holds the lock that every result needs."""


class Site:
    """An arena on several hosts: `front` has the web server and the clock, all others have workers."""

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self.folder = folder
        self.environ = {
            **environ,
            "ARENA_SECRET_KEY": "sixteenormoreletters",
            "ARENA_WORKERS": "1",
            "ARENA_HOST": "0.0.0.0",  # noqa: S104 -- of a network of its own
        }
        self.hosts: dict[str, Host] = {}
        self.arena = open_arena(factories.settings_in(folder / "home", **environ))
        self.organiser = 0
        """ID of the account that starts the tournaments."""
        self.versions: list[int] = []
        """IDs of the bots' versions."""
        self.release: Path | None = None
        """Folder of the release that migrated the database last; None for this one."""

    def open(self) -> None:
        """Start an arena of two workers as the operating page says, and a tournament."""
        front = self._host("front")
        self.command("migrate")
        front.start("beat")
        front.start("web")
        self._enter()
        self.keep_busy()
        bots = [word for number in range(4) for word in ("--bot", f"bot-{number}")]
        self.command("schedule", "create", CUP, "--cron", "* * * * *", "--rounds", "1", "--boards", "1", *bots)
        for name in ("one", "two"):
            self.add(name)
        with self.timed("two hosts start: both finish tables, and pages are served"):
            for name in ("one", "two"):
                self.wait_played(name)
            self.wait(self.serves)

    def _enter(self) -> None:
        organiser = factories.user(self.arena, "organiser", admin=True)
        for number in range(BOTS):
            source = factories.SOURCES[number % len(factories.SOURCES)]
            self.versions.append(factories.bot(self.arena, organiser, f"bot-{number}", source))
        self.organiser = organiser.id

    def keep_busy(self) -> None:
        """Start another tournament of all bots if few tables are left."""
        with self.arena.transaction() as session:
            cups = session.scalars(select(Tournament)).all()
            if sum(cup.tables_total - cup.tables_done for cup in cups) < ENOUGH:
                plan = replace(course.FOURS, name=f"league {len(cups) + 1}")
                stages.start(session, plan, self.versions, self.organiser)

    def _host(self, name: str) -> Host:
        self.hosts[name] = Host(name, 11 + len(self.hosts), self.folder, self.environ)
        return self.hosts[name]

    def add(self, name: str) -> None:
        """Add a host with a worker of the newest release."""
        self._host(name).start("worker", environ=_paths(self.release))

    def add_ahead(self, name: str) -> None:
        """Add a host with a worker and a clock that is ahead."""
        options = ("--concurrency", "1", "--without-mingle", "--hostname", f"arena@{name}")
        command = (sys.executable, "-m", "celery", "--app", "tests.faults.ahead", "worker", *options)
        self._host(name).start("worker", *command, environ=faked())

    def workers(self) -> list[str]:
        """Return the names of the hosts whose workers are of an older release than the newest."""
        return [name for name, host in self.hosts.items() if host.alive and name not in ("front", "four")]

    def upgrade(self, name: str) -> None:
        """Restart the parts of a host with the newest release."""
        host = self.hosts[name]
        for part in list(host.parts):
            host.stop(part)
            host.start(part, environ=_paths(self.release))

    def command(self, *words: str) -> None:
        """Run a command of the newest release on `front`. Fails unless it succeeds."""
        done = self.hosts["front"].run(*ARENA, *words, environ=_paths(self.release))
        assert done.returncode == 0, done.stdout + done.stderr

    def refused(self, *words: str) -> str:
        """Run a command of the first release that must fail, and return its errors."""
        done = self.hosts["front"].run(*ARENA, *words)
        assert done.returncode, done.stdout
        return done.stderr

    def cut_while_playing(self, name: str) -> int:
        """Cut a host off while it plays, and return the ID of its table."""
        while True:
            table = self._held(name)
            self.hosts[name].cut()
            if self._playing(name) == [table]:
                return table
            self.hosts[name].join()

    def lock(self, name: str) -> None:
        """Open a transaction on a host that holds the lock that every result needs."""
        self.hosts[name].start("lock", sys.executable, "-c", LOCK)
        self.wait(lambda: "held" in self.hosts[name].log("lock").read_text())

    def _held(self, name: str) -> int:
        self.wait(lambda: bool(self._playing(name)))
        return next(iter(self._playing(name)), 0)

    def _playing(self, name: str) -> list[int]:
        with self.arena.reading() as session:
            return list(session.scalars(select(Table.id).where(Table.state == "running", _by(Table.worker, name))))

    def wait_played(self, *names: str) -> None:
        """Wait until one of these hosts has finished one more table."""
        before = self._played(*names)
        self.wait(lambda: self._played(*names) > before)

    def _played(self, *names: str) -> int:
        by_them = or_(*(_by(Attempt.worker, name) for name in names))
        done = select(func.count()).where(Attempt.outcome == "done", by_them)
        with self.arena.reading() as session:
            return session.scalars(done).one()

    def wait_played_elsewhere(self, name: str, table: int) -> None:
        """Wait until a table is finished by another host than this one."""
        done = select(Attempt.table_id).where(Attempt.table_id == table, Attempt.outcome == "done")
        done = done.where(~_by(Attempt.worker, name))

        def look() -> bool:
            with self.arena.reading() as session:
                return session.scalar(done) is not None

        self.wait(look)

    def finish(self) -> None:
        """Wait until all tables are finished and rated, however long it takes if tables go on being finished."""
        while not self.finished():
            before = self._played(*self.hosts)
            self.wait(lambda: self.finished() or self._played(*self.hosts) > before)  # noqa: B023 -- called at once

    def finished(self) -> bool:
        """Return whether all tables are finished and rated."""
        with self.arena.reading() as session:
            cups = session.scalars(select(Tournament)).all()
        return all(cup.state == "finished" and cup.folded == cup.tables_done == cup.tables_total for cup in cups)

    def end_schedule(self) -> None:
        """Wait until the schedule has started a tournament, and pause it."""

        def started() -> bool:
            with self.arena.reading() as session:
                return (
                    session.scalars(select(Tournament.id).where(Tournament.schedule_id.is_not(None))).first()
                    is not None
                )

        self.wait(started)
        self.command("schedule", "pause", "1")

    def check(self) -> None:
        """Check that each table was played exactly once without a fault, and that all checks agree."""
        done = select(Attempt.table_id).where(Attempt.outcome == "done").order_by(Attempt.table_id)
        with self.arena.reading() as session:
            assert session.scalars(done).all() == session.scalars(select(Table.id).order_by(Table.id)).all()
            assert session.scalars(select(MatchSeat.fault).where(MatchSeat.fault.is_not(None))).all() == []
        for words in (("fsck",), ("ratings", "check"), ("tallies", "check")):
            self.command(*words)
        assert self.serves()

    def serves(self) -> bool:
        """Return whether the web server answers other hosts."""
        try:
            with urlopen(f"http://{self.hosts['front'].address}:8000/", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def close(self) -> None:
        """End all hosts."""
        self.arena.close()
        for host in self.hosts.values():
            host.die()

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds. Fails with the logs of all hosts if it never does."""
        try:
            wait_for(condition, PATIENCE)
        except AssertionError as error:
            logs = (path for path in sorted(self.folder.glob("*/*.log")))
            raise AssertionError("\n".join(f"== {path}\n{path.read_text()[-3000:]}" for path in logs)) from error

    @contextmanager
    def timed(self, step: str, last: bool = False) -> Iterator[None]:
        """Keep the workers busy, and print the seconds that a step took."""
        if not last:
            self.keep_busy()
        began = time.monotonic()
        yield
        click.echo(f"{time.monotonic() - began:6.1f} s  {step}")


def _by(worker: InstrumentedAttribute[str] | InstrumentedAttribute[str | None], name: str) -> ColumnElement[bool]:
    """Return the condition that a worker is a process of a host."""
    return worker.startswith(f"{name}:")


def _paths(release: Path | None) -> dict[str, str]:
    """Return the variables that make Python import a release."""
    return {} if release is None else {"PYTHONPATH": str(release)}
