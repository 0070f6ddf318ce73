"""Faults to inject into machinery while it works."""

import os
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import redis
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError

from arena.db.models import Attempt
from arena.services.base.states import AttemptOutcome
from tests.faults.machinery import Machinery
from tests.workers.services import wait_for

LISTEN: Final = 10.0
"""Seconds of listening to the broker: fewer than those after which a lost doorbell is rung again."""
PLAY_TABLE: Final = r'^LPUSH .*"task": "workers.tasks.play_table".*"argsrepr": "(.*?)"'
"""The tables of a message to the workers, as the broker shows it."""


def empty_broker(machinery: Machinery) -> None:
    """Delete all doorbells from the broker."""
    with client(machinery) as broker:
        broker.flushall()


def copies(machinery: Machinery) -> int:
    """Listen for `LISTEN` seconds, or until a doorbell for tables was sent four times; return the most copies sent."""
    sent: Counter[str] = Counter()
    with client(machinery) as broker, broker.monitor() as monitor:
        deadline = time.monotonic() + LISTEN
        while max(sent.values(), default=0) < 4 and time.monotonic() < deadline:
            sent.update(re.findall(PLAY_TABLE, monitor.next_command()["command"]))
    return max(sent.values(), default=0)


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
    """Stop a playing process that holds no lock on tables; return it and its table.

    It may hold other locks on PostgreSQL, which ends a stopped transaction.
    """
    while True:
        pid, table = machinery.playing_process()
        os.kill(pid, signal.SIGSTOP)
        # First wait for a commit that has already been sent.
        if is_writable(machinery) and machinery.playing().get(pid) == table and outcomes(machinery, table)[-1] is None:
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
    """Return the outcomes of the attempts at a table, in order, except attempts that never began."""
    with machinery.arena.reading() as session:
        attempts = select(Attempt.outcome).where(Attempt.table_id == table).order_by(Attempt.fence)
        return [outcome for outcome in session.scalars(attempts) if outcome != AttemptOutcome.RETURNED]
