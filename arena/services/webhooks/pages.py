"""Pages of a member's webhooks."""

from typing import Final

from sqlalchemy import select

from arena.db.models import Delivery, Event, Webhook
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.times import moment
from arena.services.base.views import view_of
from arena.services.events.kinds import sentence
from arena.services.webhooks.actions import find
from arena.services.webhooks.views import DeliveryRow, WebhookPage, WebhookRow

SHOWN: Final = 50
"""Number of latest deliveries shown."""


def listed(arena: Arena, account: Account) -> list[WebhookRow]:
    """Return the account's webhooks, oldest first."""
    with arena.reading() as session:
        mine = select(Webhook).where(Webhook.user_id == account.id).order_by(Webhook.id)
        return [_row(webhook) for webhook in session.scalars(mine)]


def page(arena: Arena, account: Account, webhook_id: int) -> WebhookPage:
    """Return a webhook of the account with its latest deliveries. Raises `NotFound`."""
    with arena.reading() as session:
        webhook = find(session, account, webhook_id)
        latest = (
            select(Delivery, Event)
            .join(Event, Event.id == Delivery.event_id)
            .where(Delivery.webhook_id == webhook_id)
            .order_by(Delivery.event_id.desc())
            .limit(SHOWN)
        )
        rows = tuple(_delivery(*found) for found in session.execute(latest))
        return WebhookPage(_row(webhook), webhook.secret, rows)


def _row(webhook: Webhook) -> WebhookRow:
    return view_of(WebhookRow, webhook, kinds=tuple(webhook.kinds))


def _delivery(delivery: Delivery, event: Event) -> DeliveryRow:
    text = sentence(event.kind, event.data)
    return view_of(DeliveryRow, delivery, number=event.number or 0, kind=event.kind, text=text, at=moment(event.at))
