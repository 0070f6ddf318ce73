"""Integrity of rows in the outbox: deliveries to webhooks, and grades."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Delivery, LtiScore
from arena.services.base.outbox import PAUSES
from arena.services.base.states import DeliveryState
from arena.services.integrity.findings import Wrong, correct

LONGEST: Final = 2 * PAUSES[-1]
"""Seconds that no pause takes."""


def outgoing(session: Session, row: Delivery | LtiScore) -> Iterator[Wrong]:
    """Check the attempts and times of a row."""
    if not 0 <= row.attempts <= row.fence:
        yield Wrong(f"{row.attempts} attempts are counted, but its fence is {row.fence}")
    if row.attempts and row.sent is None:
        yield Wrong(f"{row.attempts} attempts are counted, but it was never sent")
    current = session.scalars(select(now())).one()
    if row.state == DeliveryState.WAITING and row.due > current + LONGEST:
        what = f"it waits for another {row.due - current:,.0f} s; no pause takes {LONGEST:,} s"
        yield Wrong(what, correct(type(row), {"due": current}, id=row.id))
