"""Outbox: rows sent to receivers outside and retried after failures, which are deliveries to webhooks and grades.

A claim raises the row's fence and moves its due time behind the longest attempt. If the process dies before the outcome
is stored, the row is due again then; an outcome under an older fence is dropped. So a receiver may get something twice.
"""

from random import uniform
from typing import Final, TypeVar

from sqlalchemy import ColumnElement, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models.outgoing import Outgoing
from arena.services.base.states import DeliveryState

LEASE: Final = 60.0
"""Seconds after which a claim without an outcome is given up: longer than the longest attempt with its DNS query."""
PAUSES: Final = (5, 30, 300, 1800, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
"""Seconds to wait after each failed attempt; after one more the row is given up."""

Row = TypeVar("Row", bound=Outgoing)


def due(model: type[Outgoing]) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of a row that can be claimed now."""
    return model.state == DeliveryState.WAITING, model.due <= now()


def claim(session: Session, model: type[Row], row_id: int) -> Row | None:
    """Claim a row. Returns None if another process was faster."""
    claimed = update(model).where(model.id == row_id, *due(model))
    counted = claimed.values(fence=model.fence + 1, attempts=model.attempts + 1, due=now() + LEASE, sent=now())
    return session.scalar(counted.returning(model))


def settle(session: Session, claimed: Row, delivered: bool, last: bool = False) -> Row | None:
    """Store the outcome of an attempt, after which no other follows if it is the `last`.

    Returns None if the claim does not hold: the row has gone, or was claimed or asked for again.
    """
    row = session.get(type(claimed), claimed.id, with_for_update=True)
    if row is None or row.fence != claimed.fence:
        return None
    if delivered:
        row.state = DeliveryState.DELIVERED
    elif last or row.attempts > len(PAUSES):
        row.state = DeliveryState.FAILED
    else:
        row.due = now() + PAUSES[row.attempts - 1] * uniform(1, 1.2)
    return row


def send_again(row: Outgoing) -> None:
    """Let a locked row be sent anew, at once."""
    row.state, row.attempts, row.due, row.fence = DeliveryState.WAITING, 0, now(), row.fence + 1
