"""Harm that is done to machinery while it works."""

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
    """Have the broker forget every doorbell."""
    with client(machinery) as broker:
        broker.flushall()


def pushes(machinery: Machinery) -> int:
    """How many messages the broker was sent since it was started."""
    with client(machinery) as broker:
        sent: int = broker.info("commandstats")["cmdstat_lpush"]["calls"]
    return sent


def client(machinery: Machinery) -> "redis.Redis":
    """A connection to the broker."""
    return redis.Redis.from_url(machinery.services.broker.url.replace("redis+socket:", "unix:"))


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """A process stands still."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def sleep_past_lease(machinery: Machinery) -> int:
    """Stop a process that plays until another has played its table; that table."""
    pid, table = stop_one_at_play(machinery)
    try:
        wait_for(lambda: "done" in outcomes(machinery, table))
    finally:
        os.kill(pid, signal.SIGCONT)
    return table


def stop_one_at_play(machinery: Machinery) -> tuple[int, int]:
    """Stop a process that plays and is in no transaction, whose locks would stop all others; it, and its table."""
    while True:
        pid, table = machinery.one_at_play()
        os.kill(pid, signal.SIGSTOP)
        if machinery.playing().get(pid) == table and outcomes(machinery, table)[-1] is None and unlocked(machinery):
            return pid, table
        os.kill(pid, signal.SIGCONT)


def unlocked(machinery: Machinery) -> bool:
    """Whether everything can be written, as it could not while a transaction stands still."""
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
            connection.invalidate()  # it has another patience now
    return True


def outcomes(machinery: Machinery, table: int) -> list[str | None]:
    """How the attempts at a table ended, in their order."""
    with machinery.arena.reading() as session:
        attempts = select(Attempt.outcome).where(Attempt.table_id == table).order_by(Attempt.fence)
        return list(session.scalars(attempts))
