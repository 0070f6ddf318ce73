"""Engines and sessions for SQLite and PostgreSQL.

A write transaction begins with BEGIN IMMEDIATE on SQLite, so that a second writer waits. After a plain BEGIN it would
fail when it upgrades its lock.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import NullPool

BUSY_SECONDS: Final = 30
"""Seconds for which a writer on SQLite waits for its turn."""
LOG_LIMIT: Final = 32 * 1024 * 1024
"""Size, in bytes, above which SQLite's write-ahead log is emptied. SQLite alone never shrinks it under steady load."""
LOG_PATIENCE: Final = 0.1
"""Seconds for which emptying the log may hold up writers while it waits for readers."""

PATIENCE: Final = 20
"""Seconds of silence from the client in the middle of a write transaction after which PostgreSQL ends it."""

_CLIENT: Final = {
    "connect_timeout": 10,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""Parameters of libpq: a connection to PostgreSQL counts as lost after 20 seconds of silence. The operator's URL may
have others."""
_SERVER: Final = """
    SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
    SET tcp_user_timeout = 20000
"""
"""The same for the server's end; no effect on a local socket."""


class Database:
    """A database by URL, with `write` and `read` transactions."""

    def __init__(self, url: str, pooled: bool = True) -> None:
        self.engine = connect(url, pooled)
        # One snapshot per page, so that counts and lists agree. SQLite always works this way.
        snapshot = {} if self.engine.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
        self._readers = sessionmaker(self.engine.execution_options(**snapshot), expire_on_commit=False)
        self._writers = sessionmaker(self.engine.execution_options(writes=True), expire_on_commit=False)
        self._watcher = _Watcher(self.engine.url.database or "") if self.engine.name == "sqlite" else None

    def stamp(self) -> str:
        """Return a text that differs from an earlier one of this process if anything was committed in between."""
        if self._watcher is not None:
            return self._watcher.stamp()
        with self.engine.connect() as connection:
            return str(connection.exec_driver_sql("SELECT pg_current_snapshot()::text").scalar_one())

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Run one transaction that changes data. It is committed unless the block raises."""
        with self._writers.begin() as session:
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Run one transaction that only reads. Any changes are discarded."""
        with self._readers() as session:
            yield session

    def trim_log(self) -> None:
        """Empty SQLite's write-ahead log if it is too large and no reader needs it; otherwise the next call does."""
        if self.engine.name == "sqlite" and _log_size(path := self.engine.url.database or "") > LOG_LIMIT:
            with closing(sqlite3.connect(path, timeout=LOG_PATIENCE, isolation_level=None)) as connection:
                # The first holds up nobody and leaves little to do for the second, which holds up writers.
                for mode in ("PASSIVE", "TRUNCATE"):
                    connection.execute(f"PRAGMA wal_checkpoint({mode})")

    def close(self) -> None:
        """Close all connections."""
        if self._watcher is not None:
            self._watcher.close()
        self.engine.dispose()


class _Watcher:
    """A connection to SQLite that notices the commits of all others."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._opened = 0
        """Number of connections so far: the counts of two are unrelated."""

    def stamp(self) -> str:
        """Return the number of the connection and its count of commits."""
        with self._lock:
            if self._connection is None:
                self._connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, check_same_thread=False)
                self._opened += 1
            ((count,),) = self._connection.execute("PRAGMA data_version")
            return f"{self._opened}:{count}"

    def close(self) -> None:
        """Close the connection; the next stamp opens another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def connect(url: str, pooled: bool = True, enforced: bool = True) -> Engine:
    """Return an engine for an SQLAlchemy URL, creating the folder of a SQLite file if necessary.

    Without a pool, every transaction opens its own connection. `enforced` is whether SQLite enforces foreign keys.
    Stored data may be private to a bot's owner, so no error or log line quotes parameters.
    """
    parsed = make_url(url)
    pool: dict[str, Any] = {} if pooled else {"poolclass": NullPool}
    if parsed.get_backend_name() == "sqlite":
        Path(parsed.database or "").absolute().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        engine = create_engine(parsed, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True, **pool)
        event.listen(engine, "connect", partial(_prepare_sqlite, enforced))
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    alive = {name: value for name, value in _CLIENT.items() if name not in parsed.query}
    engine = create_engine(parsed, connect_args=alive, pool_pre_ping=pooled, hide_parameters=True, **pool)
    event.listen(engine, "connect", _prepare_postgresql)
    event.listen(engine, "begin", _begin_postgresql)
    return engine


def _log_size(path: str) -> int:
    try:
        return Path(f"{path}-wal").stat().st_size
    except FileNotFoundError:
        return 0


def _prepare_sqlite(enforced: bool, connection: Any, _: object) -> None:
    # Stop the driver from beginning transactions: `_begin_sqlite` does, as reader or as writer.
    connection.isolation_level = None
    log = ("journal_mode=WAL", f"journal_size_limit={LOG_LIMIT}")
    for pragma in (*log, "synchronous=NORMAL", f"foreign_keys={enforced}"):
        connection.execute(f"PRAGMA {pragma}").close()


def _prepare_postgresql(connection: Any, _: object) -> None:
    # Otherwise the server keeps the locks of a machine that lost power in a transaction for two hours.
    connection.autocommit = True
    connection.execute(_SERVER)
    connection.autocommit = False


def _begin_postgresql(connection: Connection) -> None:
    # The kernel of a stopped process still answers keepalives. A long read holds no locks that others wait for.
    if connection.get_execution_options().get("writes"):
        connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = '{PATIENCE}s'")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
