"""Locks on what is no single row. On SQLite there is one writer at a time, so there a transaction is lock enough."""

from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

TOURNAMENT: Final = 1
"""The kind of the lock on the course of a tournament: its state, its stages and who takes part."""
LADDER: Final = 2
"""The kind of the lock on starting the ladder of a variant, by the number of the variant."""


def hold(session: Session, kind: int, number: int) -> None:
    """Wait until nobody else holds this, then hold it until the transaction ends."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(kind, number)))
