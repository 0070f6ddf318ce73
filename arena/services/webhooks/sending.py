"""Claim deliveries, send them outside any transaction, and store the outcomes.

Each attempt of a delivery has the same ID, by which a receiver recognises one that it has seen.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Delivery, Event, User, Webhook
from arena.services.base import outbox
from arena.services.base.context import Arena
from arena.services.base.texts import sentences
from arena.services.base.times import moment
from arena.services.events.kinds import sentence
from arena.services.events.log import DAY
from arena.services.people.notices import notify
from arena.services.webhooks import transport
from arena.services.webhooks.signatures import headers
from arena.services.webhooks.transport import Outcome
from arena.words import N_, _

PATIENCE: Final = 5 * DAY
"""Seconds of failures without a success after which a webhook is disabled."""
RECEIVER_GONE: Final = N_("The receiver answered 410 Gone.")
ALL_FAILED: Final = N_("Every delivery failed for 5 days.")
"""Reasons why a webhook is not used any more."""
GONE: Final = 410
"""Status with which a receiver asks for no more deliveries."""


class Job(NamedTuple):
    """A claimed delivery."""

    delivery: Delivery
    url: str
    secret: str
    message: str
    """ID of the message, the same for each attempt."""
    body: bytes


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
    signed = headers(job.secret, job.message, int(job.delivery.sent or 0), job.body)  # time of the database's clock
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
    return session.execute(
        select(first, Webhook.failing)
        .join(Webhook, Webhook.id == Delivery.webhook_id)
        .join(User, User.id == Webhook.user_id)
        .join(Event, Event.id == Delivery.event_id)
        .where(*outbox.due(Delivery), Webhook.disabled.is_(None), User.disabled.is_(None), Event.number.is_not(None))
        .where(Webhook.id.not_in(busy))
        .group_by(Webhook.id, Webhook.failing)
        .order_by(first)
    ).all()


def _claim(session: Session, delivery_id: int) -> list[tuple[int, Job]]:
    delivery = outbox.claim(session, Delivery, delivery_id)
    if delivery is None:  # another process was faster
        return []
    webhook, event = delivery.webhook, delivery.event
    return [(webhook.id, Job(delivery, webhook.url, webhook.secret, f"event-{event.id}", body_of(event)))]


def body_of(event: Event) -> bytes:
    """Return the body of an event's deliveries, in the form of Standard Webhooks."""
    data = {
        "number": event.number, "text": sentence(event.kind, event.data), "tournament": event.tournament_id,
        "bot": event.bot_id, "version": event.version_id, "details": event.data,
    }  # fmt: skip
    return msgspec.json.encode({"type": event.kind, "timestamp": moment(event.at), "data": data})


def _settle(session: Session, job: Job, outcome: Outcome) -> None:
    delivery = outbox.settle(session, job.delivery, outcome.delivered, last=outcome.status == GONE)
    if delivery is None:
        return
    delivery.status, delivery.answer, delivery.milliseconds = outcome
    webhook = session.get_one(Webhook, delivery.webhook_id, with_for_update=True)
    if outcome.delivered:
        webhook.failing = None
    else:
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
