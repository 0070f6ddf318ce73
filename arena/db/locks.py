"""Advisory locks on things other than single rows. SQLite needs none, because it has one writer at a time."""

from hashlib import sha256
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

TOURNAMENT: Final = 1
"""Kind of the lock on a tournament's state, stages and entries, by the tournament's ID."""
LADDER: Final = 2
"""Kind of the lock on starting the ladder of a variant, by the variant's ID."""

LEAVING: Final = 3
"""Kind of the lock on the decision that a worker process leaves the work to others."""


def hold(session: Session, kind: int, key: int | str) -> None:
    """Wait for the lock of this kind on a number or name, then hold it until the transaction ends."""
    if session.get_bind().dialect.name == "postgresql":
        number = lock_number(key) if isinstance(key, str) else key
        session.execute(select(func.pg_advisory_xact_lock(kind, number)))


def lock_number(name: str) -> int:
    """Return a stable number for a name, within the signed 32 bits of PostgreSQL's lock keys.

    Two names may share a number: then they share a lock, which costs time but is safe.
    """
    return int.from_bytes(sha256(name.encode()).digest()[:4], "big", signed=True)
