"""Faults to inject into machinery while it works."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import redis
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError

from arena.db.models import Attempt
from tests.faults.machinery import Machinery
from tests.workers.services import wait_for


def empty_broker(machinery: Machinery) -> None:
    """Delete all doorbells from the broker."""
    with client(machinery) as broker:
        broker.flushall()


def pushes(machinery: Machinery) -> int:
    """Return the number of messages sent to the broker since it started."""
    with client(machinery) as broker:
        sent: int = broker.info("commandstats")["cmdstat_lpush"]["calls"]
    return sent


def client(machinery: Machinery) -> "redis.Redis":
    """Open a connection to the broker."""
    return redis.Redis.from_url(machinery.services.broker.url.replace("redis+socket:", "unix:"))


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """Stop a process for the duration of the block."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def stop_past_lease(machinery: Machinery) -> int:
    """Stop a playing process until another one has played its table; return that table."""
    pid, table = stop_playing_process(machinery)
    try:
        wait_for(lambda: "done" in outcomes(machinery, table))
    finally:
        os.kill(pid, signal.SIGCONT)
    return table


def stop_playing_process(machinery: Machinery) -> tuple[int, int]:
    """Stop a playing process outside of transactions, whose locks would stop all others; return it and its table."""
    while True:
        pid, table = machinery.playing_process()
        os.kill(pid, signal.SIGSTOP)
        if machinery.playing().get(pid) == table and outcomes(machinery, table)[-1] is None and is_writable(machinery):
            return pid, table
        os.kill(pid, signal.SIGCONT)


def is_writable(machinery: Machinery) -> bool:
    """Return whether the database can be written, which a stopped transaction would prevent."""
    wait = "SET LOCAL lock_timeout = '1s'" if machinery.server else "PRAGMA busy_timeout = 1000"
    engine = machinery.arena.database.engine
    with engine.connect() as connection:
        try:
            connection.execute(text(wait))
            connection.execute(text("UPDATE tables SET number = number"))
        except OperationalError:
            return False
        finally:
            connection.rollback()
            connection.invalidate()  # its timeout has changed
    return True


def outcomes(machinery: Machinery, table: int) -> list[str | None]:
    """Return the outcomes of the attempts at a table, in order."""
    with machinery.arena.reading() as session:
        attempts = select(Attempt.outcome).where(Attempt.table_id == table).order_by(Attempt.fence)
        return list(session.scalars(attempts))
