"""Measurement of the cost of a table on this machine, for `arena capacity`.

A real worker process plays a tournament in a temporary SQLite database beside the arena's data. Of the arena's own
database only the times of answers are measured; nothing is written to its tables.
"""

import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path
from statistics import mean, median
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Engine, event, func, make_url, select, text
from sqlalchemy.orm import Session

from arena.cli.database import explained
from arena.db.migrate import upgrade
from arena.db.models import Bot, Match, Table, User
from arena.db.session import connect
from arena.games.errors import ArenaError
from arena.games.registry import rules_of
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.services.base.context import Arena, Doorbell, open_arena
from arena.services.base.states import TableState, VersionState
from arena.services.bots.actions import new_version
from arena.services.formats.plans import Plan
from arena.services.play.seats import Sitter
from arena.services.play.table import play_work
from arena.services.tournaments import stages
from arena.services.work import play, sweep
from arena.services.work.capacity import Costs
from arena.settings import Settings, usable_cores
from workers.process import WorkerProcess

BOTS: Final = 6
"""Smallest number of entries; variants for more players have as many as a table needs."""
TRIVIAL: Final = b"def act(view):\n    return view.legal[0]\n"
ROUNDS: Final = 1000
"""More rounds than can be played while the measurement lasts."""
REPEATS: Final = 30
"""Number of times that the database is asked to answer and to commit."""
PATIENCE: Final = 120.0
"""Seconds beyond those asked for after which the measurement gives up."""
_SIZE: Final = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
_MESSAGE: Final = "SELECT pg_logical_emit_message(true, 'capacity', repeat('x', 1000))"
"""Writes a message to PostgreSQL's log, which changes no table."""


@dataclass
class Watch:
    """Counts the statements and write transactions of an engine, and the CPU seconds within write transactions."""

    statements: int = 0
    commits: int = 0
    seconds: float = 0.0
    _began: dict[int, float] = field(default_factory=dict)

    def listen(self, engine: Engine) -> None:
        """Start to count."""
        event.listen(engine, "before_cursor_execute", self._execute)
        event.listen(engine, "begin", self._begin)
        event.listen(engine, "commit", self._commit)
        event.listen(engine, "rollback", lambda connection: self._began.pop(id(connection)))

    def _execute(self, *_: Any) -> None:
        self.statements += 1

    def _begin(self, connection: Connection) -> None:
        self._began[id(connection)] = time.process_time()

    def _commit(self, connection: Connection) -> None:
        began = self._began.pop(id(connection))
        if connection.get_execution_options().get("writes"):
            self.commits += 1
            self.seconds += time.process_time() - began


class Taken(NamedTuple):
    """Seconds of a table."""

    real: float
    cpu: float
    """CPU time of this process, without its bots. Other programs hardly affect it."""


class Worked(NamedTuple):
    """Tables that a worker has finished."""

    tables: Sequence[int]
    """Their IDs."""
    cpu: float
    """CPU seconds of this process for all of them."""
    watch: Watch
    stored: int
    """Bytes by which the database has grown."""


class Trial(NamedTuple):
    """A worker with a tournament of its own."""

    arena: Arena
    rings: deque[Doorbell]
    """Doorbells that have not been answered."""
    worker: WorkerProcess

    def play(self, seconds: float) -> None:
        """Answer doorbells for some seconds, and until a table is finished. Raises `ArenaError`."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or not self.finished():
            if not self.rings:
                sweep.tick(self.arena)
            if self.rings:
                self.worker.answer(self.rings.popleft())
            if time.perf_counter() > end + PATIENCE:
                raise ArenaError("No table could be finished. To see why, run: arena doctor")

    def work(self, seconds: float) -> Worked:
        """Finish tables for some seconds."""
        before, stored, watch = set(self.finished()), self.stored(), Watch()
        watch.listen(self.arena.database.engine)
        began = time.process_time()
        self.play(seconds)
        cpu = time.process_time() - began
        tables = [table for table in self.finished() if table not in before]
        return Worked(tables, cpu, watch, self.stored() - stored)

    def matches(self) -> tuple[float, float]:
        """Return the matches of a table, and the mean bytes of their records."""
        with self.arena.reading() as session:
            count, size = session.execute(select(func.count(), func.avg(func.length(Match.record)))).one()
        return count / len(self.finished()), float(size)

    def finished(self) -> list[int]:
        """Return the IDs of the finished tables."""
        with self.arena.reading() as session:
            return list(session.scalars(select(Table.id).where(Table.state == TableState.DONE).order_by(Table.id)))

    def play_again(self, tables: Sequence[int], sources: Sequence[bytes] = (), seconds: float = inf) -> Taken:
        """Play tables in the cage alone, until the seconds are over.

        Bots with `sources` take the places of the worker's bots.
        """
        taken: list[Taken] = []
        for number, table in enumerate(tables):
            with self.arena.reading() as session:
                work = play.load(session, table)
            if sources:
                work = replace(work, places=_seated(work.places, sources, number))
            taken.append(_timed(lambda: play_work(work, self.worker.cage)))  # noqa: B023 -- called at once
            if sum(each.real for each in taken) > seconds:
                break
        return Taken(mean(each.real for each in taken), mean(each.cpu for each in taken))

    def stored(self) -> int:
        """Return the bytes of the database."""
        with self.arena.reading() as session:
            return int(session.scalars(text(_SIZE)).one())


@contextmanager
def trial(settings: Settings, variant: str) -> Iterator[Trial]:
    """Start a tournament of trivial bots in a temporary database on the disk of the arena's data."""
    with tempfile.TemporaryDirectory(
        prefix="capacity-", dir=_folder_of(settings.database_url) or _existing(settings.home)
    ) as folder:
        own = replace(settings, home=Path(folder), database_url=f"sqlite:///{folder}/arena.db", broker_url=None)
        upgrade(own.database_url)
        rings: deque[Doorbell] = deque()
        arena = open_arena(own, partial(_keep, rings))
        worker = WorkerProcess(arena, Cage(own.sandbox_minimum, limits=limits_of(own)), "capacity:0")
        try:
            _start(arena, variant)
            yield Trial(arena, rings, worker)
        finally:
            worker.close()


def _keep(rings: deque[Doorbell], bells: Sequence[Doorbell]) -> bool:
    rings.extend(bells)
    return True


def _seated(places: Sequence[Sitter], sources: Sequence[bytes], number: int) -> list[Sitter]:
    """Return the places of a table with bots of these sources, which take turns from table to table."""
    return [sitter._replace(source=sources[(number + place) % len(sources)]) for place, sitter in enumerate(places)]


def _start(arena: Arena, variant: str) -> None:
    """Start a tournament of trivial bots that will not end."""
    entries = max(BOTS, rules_of(variant).players)
    with arena.transaction() as session:
        enter_bots(session, TRIVIAL, entries)
        plan = Plan("capacity", variant, shape={"rounds": ROUNDS})
        stages.start(session, plan, list(range(1, entries + 1)), 1)


def enter_bots(session: Session, source: bytes, count: int) -> None:
    """Create an organiser with bots of this source in an empty database. Their versions are valid, with IDs from 1."""
    session.add(User(id=1, name="organiser", name_key="organiser", password=None, is_admin=True))
    session.flush()
    for number in range(1, count + 1):
        session.add(Bot(id=number, owner_id=1, name=f"bot-{number}", name_key=f"bot-{number}"))
        session.flush()
        version = new_version(number, 1, source)
        version.id, version.state = number, VersionState.VALID
        session.add(version)
    session.flush()


def measure(settings: Settings, variant: str, sources: Sequence[bytes], seconds: float) -> Costs:
    """Measure the costs of a table of these bots, for about this many seconds.

    Everything beside the matches is measured with bots that do not think, because it does not depend on them and many
    tables give a steady mean. Raises `ArenaError` if this machine cannot hold bots or the database does not answer.
    """
    theirs = answers(settings.database_url)
    with trial(settings, variant) as here:
        here.play(0)  # compiles the bots and fills caches
        worked = here.work(seconds / 3)
        bare = here.play_again(worked.tables)
        thinking = here.play_again(worked.tables, sources, seconds / 3)
        matches, record = here.matches()
        free = shutil.disk_usage(here.arena.settings.home).free
    count = len(worked.tables)
    watch = worked.watch
    return Costs(
        variant=variant,
        database=make_url(settings.database_url).get_backend_name(),
        cores=usable_cores(),
        free=free,
        matches=matches,
        play=thinking.real,
        queue=max(0.0, worked.cpu / count - bare.cpu),
        locked=watch.seconds / count,
        statements=watch.statements / count,
        commits=watch.commits / count,
        round_trip=theirs.round_trip,
        commit=theirs.commit,
        stored=worked.stored / count,
        record=record,
    )


class Answers(NamedTuple):
    """Median seconds of a database's answers."""

    round_trip: float
    """Of the shortest statement; 0 for SQLite, whose statements are part of what a worker computes."""
    commit: float
    """Of the shortest transaction that writes."""


def answers(url: str) -> Answers:
    """Time the answers of a database. Raises `ArenaError`."""
    if make_url(url).get_backend_name() == "sqlite":
        with tempfile.TemporaryDirectory(prefix="capacity-", dir=_folder_of(url)) as folder:
            return Answers(0.0, _commit_time(f"sqlite:///{folder}/commits.db", "PRAGMA user_version = 1"))
    return Answers(_round_trip(url), _commit_time(url, _MESSAGE))


def _round_trip(url: str) -> float:
    with _connected(url) as connection:
        return _median(lambda: connection.execute(text("SELECT 1")).all())


def _commit_time(url: str, write: str) -> float:
    def transact() -> None:
        connection.execute(text(write)).close()
        connection.commit()

    with _connected(url) as connection:
        return _median(transact)


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    """Open a connection for writing. Raises `ArenaError`."""
    engine = connect(url)
    with explained(), engine.execution_options(writes=True).connect() as connection:
        yield connection
    engine.dispose()


def _median(action: Callable[[], object]) -> float:
    """Return the median seconds of an action."""
    return median(_timed(action).real for _ in range(REPEATS))


def _timed(action: Callable[[], object]) -> Taken:
    real, cpu = time.perf_counter(), time.process_time()
    action()
    return Taken(time.perf_counter() - real, time.process_time() - cpu)


def _folder_of(url: str) -> Path | None:
    """Return the folder of a SQLite database if it exists."""
    path = make_url(url).database if url.startswith("sqlite:") else None
    return _existing(Path(path).parent) if path else None


def _existing(folder: Path) -> Path | None:
    return folder if folder.is_dir() else None
