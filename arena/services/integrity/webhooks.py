"""Integrity of the event log, of webhooks and of their deliveries."""

from collections.abc import Iterator

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Delivery, Event, EventCursor, Webhook
from arena.services.events.kinds import PRIVATE, EventKind, sentence
from arena.services.integrity.findings import Check, Wrong, check_rows, correct
from arena.services.integrity.outbox import outgoing
from arena.services.webhooks.actions import CHOICES
from arena.services.webhooks.signatures import is_secret


def event(session: Session, event_id: int) -> Iterator[Wrong]:
    """Check an event."""
    row = session.get_one(Event, event_id)
    if row.kind not in list(EventKind):
        yield Wrong(f"its kind is {row.kind!r}; the kinds are {', '.join(EventKind)}")
        return
    sentence(row.kind, row.data)  # fails if the data is incomplete
    public = row.kind not in PRIVATE
    if row.public != public:
        yield Wrong(f"it is {'' if row.public else 'not '}public", correct(Event, {"public": public}, id=event_id))


def cursor(session: Session, _: object) -> Iterator[Wrong]:
    """Check that no event has a higher number than the cursor, which would be given again."""
    last = session.scalar(select(EventCursor.last)) or 0
    highest = session.scalar(select(func.max(Event.number))) or 0
    if highest > last:
        yield Wrong(
            f"it is at {last}; an event has the number {highest}", correct(EventCursor, {"last": highest}, id=1)
        )


def webhook(session: Session, webhook_id: int) -> Iterator[Wrong]:
    """Check a webhook."""
    row = session.get_one(Webhook, webhook_id)
    if not is_secret(row.secret):
        yield Wrong("its secret is malformed: nothing can be signed")
    if not row.kinds or not set(row.kinds) <= set(CHOICES):
        yield Wrong(f"its kinds are {row.kinds}; choose among {', '.join(CHOICES)}")


def delivery(session: Session, delivery_id: int) -> Iterator[Wrong]:
    """Check a delivery."""
    yield from outgoing(session, session.get_one(Delivery, delivery_id))


CHECKS = (
    check_rows("event", Event, event),
    Check("event cursor", lambda _: [""], cursor),
    check_rows("webhook", Webhook, webhook),
    check_rows("delivery", Delivery, delivery),
)
