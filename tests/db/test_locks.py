"""Locks: their numbers, and how long a writer may hold them."""

import pytest
from sqlalchemy import select
from sqlalchemy.exc import InternalError
from sqlalchemy.orm import Session

from arena.db import locks, session
from arena.db.locks import lock_number
from arena.db.session import Database
from arena.games.registry import VARIANTS


def test_lock_numbers_are_stable() -> None:
    """The number depends on the name alone, so processes of different releases take the same lock."""
    assert lock_number("suitability-4") == -1229725494
    assert lock_number("suits-steere-3") == -514202172


def test_lock_numbers_of_variants_differ() -> None:
    """No two variants share a lock, and each number fits a signed integer of 32 bits."""
    numbers = [lock_number(variant) for variant in VARIANTS]

    assert len(set(numbers)) == len(numbers)
    assert all(-(2**31) <= number < 2**31 for number in numbers)


@pytest.mark.service
def test_silent_writer_loses_its_locks(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL ends the transaction of a process that stopped in it, so that others go on."""
    monkeypatch.setattr(session, "PATIENCE", 1)
    database = Database(postgres, pooled=False)
    with Session(database.engine.execution_options(writes=True)) as stopped:
        locks.hold(stopped, locks.TOURNAMENT, 1)

        with database.write() as other:
            locks.hold(other, locks.TOURNAMENT, 1)

        with pytest.raises(InternalError, match="idle-in-transaction timeout"):
            stopped.execute(select(1))
    database.close()
