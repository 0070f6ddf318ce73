"""A database that measures its transactions."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.db.session import Database

STEPS_EVERY: Final = 100
"""Number of steps of SQLite's virtual machine after which they are counted."""
ROWS_READ: Final = text("SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_xact_user_tables")
"""Number of rows that the session has read on PostgreSQL."""


class Lock(NamedTuple):
    """Seconds from the first statement of a write transaction to the end of its commit."""

    real: float
    cpu: float
    """Seconds of CPU time of this process: all of the work on SQLite, without the server's on PostgreSQL."""

    @classmethod
    def since(cls, began: "Lock") -> "Lock":
        """Return the time that has passed since `began`, a result of `now`."""
        return cls(perf_counter() - began.real, process_time() - began.cpu)

    @classmethod
    def now(cls) -> "Lock":
        """Return the current readings of both clocks."""
        return cls(perf_counter(), process_time())


class Watched(Database):
    """A database that notes for each step how long its transactions hold locks, and how much they read."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.step = ""
        """Title of the current step."""
        self.held: dict[str, list[Lock]] = defaultdict(list)
        """Duration of each write transaction, by step."""
        self.work: dict[str, list[int]] = defaultdict(list)
        """Rows that each transaction read, or on SQLite the steps of its virtual machine, by step."""

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Run a write transaction, and note its work and the time until it is committed."""
        with super().write() as session:
            with self._counted(session):
                began = Lock.now()
                yield session
                session.flush()
                held = Lock.since(began)
            began = Lock.now()
        commit = Lock.since(began)
        self.held[self.step].append(Lock(held.real + commit.real, held.cpu + commit.cpu))

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Run a transaction that only reads, and note its work."""
        with super().read() as session, self._counted(session):
            yield session

    @contextmanager
    def _counted(self, session: Session) -> Iterator[None]:
        counted = self._counted_on_sqlite if self.engine.name == "sqlite" else self._counted_on_postgresql
        with counted(session):
            yield

    @contextmanager
    def _counted_on_sqlite(self, session: Session) -> Iterator[None]:
        driver: Any = session.connection().connection.driver_connection
        steps = 0

        def count() -> None:
            nonlocal steps
            steps += STEPS_EVERY

        driver.set_progress_handler(count, STEPS_EVERY)
        try:
            yield
        finally:
            driver.set_progress_handler(None, 0)
            self.work[self.step].append(steps)

    @contextmanager
    def _counted_on_postgresql(self, session: Session) -> Iterator[None]:
        before = session.scalar(ROWS_READ)  # by earlier transactions, until the server has counted them
        yield
        self.work[self.step].append(session.scalars(ROWS_READ).one() - (before or 0))
