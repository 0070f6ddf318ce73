"""Claim deliveries, send them outside any transaction, and store the outcomes.

A claim raises the delivery's fence and moves its due time behind the longest attempt. If the process dies before the
outcome is stored, the delivery is due again then; an outcome with an older fence is dropped. So a receiver may see a
delivery twice, with the same ID, and the arena has one record of it.
"""

from collections.abc import Sequence
from random import uniform
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Delivery, Event, User, Webhook
from arena.services.base.context import Arena
from arena.services.base.texts import sentences
from arena.services.base.times import moment
from arena.services.events.kinds import sentence
from arena.services.events.log import DAY
from arena.services.people.notices import notify
from arena.services.webhooks import transport
from arena.services.webhooks.signatures import headers
from arena.services.webhooks.transport import Outcome
from arena.services.webhooks.views import DeliveryState
from arena.words import N_, _

LEASE: Final = 60.0
"""Seconds after which a claim without an outcome is given up: longer than the longest attempt with its DNS query."""
PAUSES: Final = (5, 30, 300, 1800, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
"""Seconds to wait after each failed attempt; after one more the delivery is given up."""
PATIENCE: Final = 5 * DAY
"""Seconds of failures without a success after which a webhook is disabled."""
RECEIVER_GONE: Final = N_("The receiver answered 410 Gone.")
ALL_FAILED: Final = N_("Every delivery failed for 5 days.")
"""Reasons why a webhook is not used any more."""
GONE: Final = 410
"""Status with which a receiver asks for no more deliveries."""


class Job(NamedTuple):
    """A claimed delivery."""

    id: int
    fence: int
    url: str
    secret: str
    message: str
    """ID of the message, the same for each attempt."""
    body: bytes
    sent: float
    """Time of the attempt by the database's clock, which all workers share."""


def claim(arena: Arena, most: int, busy: Sequence[int] = ()) -> list[tuple[int, Job]]:
    """Claim up to this number of due deliveries, one of each webhook, none of the webhooks that are `busy`.

    Returns pairs of webhook ID and job. Webhooks that fail get at most half of the places, so that slow receivers do
    not delay the others.
    """
    with arena.reading() as session:
        if not (found := _due(session, busy)):
            return []
    sound = [one.id for one in found if one.failing is None]
    failing = [one.id for one in found if one.failing is not None][: max(1, most // 2)]
    with arena.transaction() as session:
        return [pair for one in [*failing, *sound][:most] for pair in _claim(session, one)]


def send(arena: Arena, job: Job) -> Outcome:
    """Send a claimed delivery, and store the outcome."""
    signed = headers(job.secret, job.message, int(job.sent), job.body)
    agent = {"User-Agent": "Suit-Arena-Webhooks", **signed}
    if arena.settings.demo:
        outcome = Outcome(None, "Not sent: a demo sends nothing outside.", 0)
    else:
        outcome = transport.send(job.url, job.body, agent, arena.settings.webhook_networks)
    with arena.transaction() as session:
        _settle(session, job, outcome)
    return outcome


def _due(session: Session, busy: Sequence[int]) -> Sequence[Any]:
    """Return the oldest due delivery of each webhook in use."""
    first = func.min(Delivery.id).label("id")
    due = (Delivery.state == DeliveryState.WAITING, Delivery.due <= now())
    return session.execute(
        select(first, Webhook.failing)
        .join(Webhook, Webhook.id == Delivery.webhook_id)
        .join(User, User.id == Webhook.user_id)
        .join(Event, Event.id == Delivery.event_id)
        .where(*due, Webhook.disabled.is_(None), User.disabled.is_(None), Event.number.is_not(None))
        .where(Webhook.id.not_in(busy))
        .group_by(Webhook.id, Webhook.failing)
        .order_by(first)
    ).all()


def _claim(session: Session, delivery_id: int) -> list[tuple[int, Job]]:
    claimed = (
        update(Delivery)
        .where(Delivery.id == delivery_id, Delivery.state == DeliveryState.WAITING, Delivery.due <= now())
        .values(fence=Delivery.fence + 1, attempts=Delivery.attempts + 1, due=now() + LEASE, sent=now())
        .returning(Delivery.fence, Delivery.sent)
    )
    found = session.execute(claimed).one_or_none()
    if found is None:  # another process was faster
        return []
    delivery = session.get_one(Delivery, delivery_id)
    webhook, event = delivery.webhook, delivery.event
    job = Job(delivery_id, found.fence, webhook.url, webhook.secret, f"event-{event.id}", body_of(event), found.sent)
    return [(webhook.id, job)]


def body_of(event: Event) -> bytes:
    """Return the body of an event's deliveries, in the form of Standard Webhooks."""
    data = {
        "number": event.number, "text": sentence(event.kind, event.data), "tournament": event.tournament_id,
        "bot": event.bot_id, "version": event.version_id, "details": event.data,
    }  # fmt: skip
    return msgspec.json.encode({"type": event.kind, "timestamp": moment(event.at), "data": data})


def _settle(session: Session, job: Job, outcome: Outcome) -> None:
    """Store an outcome, unless the delivery was claimed again or has gone meanwhile."""
    delivery = session.get(Delivery, job.id, with_for_update=True)
    if delivery is None or delivery.fence != job.fence:
        return
    delivery.status, delivery.answer, delivery.milliseconds = outcome
    webhook = session.get_one(Webhook, delivery.webhook_id, with_for_update=True)
    if outcome.delivered:
        delivery.state, webhook.failing = DeliveryState.DELIVERED, None
        return
    if delivery.attempts > len(PAUSES) or outcome.status == GONE:
        delivery.state = DeliveryState.FAILED
    else:
        delivery.due = now() + PAUSES[delivery.attempts - 1] * uniform(1, 1.2)
    _note_failure(session, webhook, outcome)


def _note_failure(session: Session, webhook: Webhook, outcome: Outcome) -> None:
    """Note the first failure of a webhook, and disable it after days of failures or if its receiver is gone."""
    moment_ = session.scalars(select(now())).one()
    if webhook.failing is None:
        webhook.failing = moment_
    if outcome.status == GONE:
        webhook.disabled = RECEIVER_GONE
    elif moment_ - webhook.failing > PATIENCE:
        webhook.disabled = ALL_FAILED
    if webhook.disabled:
        said = webhook.disabled
        notify(
            session, webhook.user_id,
            lambda: sentences(_("Your webhook %(url)s is no longer used.", url=webhook.url), _(said)),
        )  # fmt: skip
