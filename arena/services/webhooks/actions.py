"""Add, change and delete webhooks, send a test, and send a delivery again."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from arena.db.models import Delivery, Webhook
from arena.games.errors import NotFound, Refused
from arena.services.base import outbox
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import DeliveryState
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.people.quotas import lock_user
from arena.services.webhooks.addresses import check_url
from arena.services.webhooks.signatures import new_secret
from arena.words import _

MOST: Final = 10
"""Largest number of webhooks of a member."""
CHOICES: Final = tuple(kind for kind in EventKind if kind != EventKind.WEBHOOK_TESTED)
"""Kinds that a webhook may ask for."""


def add(arena: Arena, account: Account, url: str, kinds: Collection[str], everything: bool) -> int:
    """Add a webhook, and return its ID. Raises `Refused`."""
    checked, chosen = check_url(url, arena.settings.webhook_networks), _chosen(kinds)
    with arena.transaction() as session:
        lock_user(session, account.id)
        mine = select(func.count()).select_from(Webhook).where(Webhook.user_id == account.id)
        if session.scalars(mine).one() >= MOST:
            raise Refused(_("You have %(most)s webhooks, which is the limit. Delete one first.", most=MOST))
        made = Webhook(user_id=account.id, url=checked, kinds=chosen, everything=everything, secret=new_secret())
        session.add(made)
        session.flush()
        return made.id


def change(arena: Arena, account: Account, webhook_id: int, url: str, kinds: Collection[str], everything: bool) -> None:
    """Change a webhook of the account, and put it back in use if it was disabled. Raises `Refused` and `NotFound`."""
    checked, chosen = check_url(url, arena.settings.webhook_networks), _chosen(kinds)
    with arena.transaction() as session:
        webhook = find(session, account, webhook_id)
        webhook.url, webhook.kinds, webhook.everything = checked, chosen, everything
        webhook.failing = webhook.disabled = None


def renew_secret(arena: Arena, account: Account, webhook_id: int) -> None:
    """Give a webhook of the account a new secret. Raises `NotFound`."""
    with arena.transaction() as session:
        find(session, account, webhook_id).secret = new_secret()


def remove(arena: Arena, account: Account, webhook_id: int) -> None:
    """Delete a webhook of the account with its deliveries. Raises `NotFound`."""
    with arena.transaction() as session:
        webhook = find(session, account, webhook_id)
        session.execute(delete(Webhook).where(Webhook.id == webhook.id))


def test(arena: Arena, account: Account, webhook_id: int) -> None:
    """Send a test event to a webhook of the account. Raises `Refused` and `NotFound`."""
    with arena.transaction() as session:
        webhook = find(session, account, webhook_id)
        _check_in_use(webhook)
        waits = (Delivery.webhook_id == webhook_id, Delivery.state == DeliveryState.WAITING)
        if session.scalars(select(func.count()).select_from(Delivery).where(*waits)).one() >= MOST:
            raise Refused(_("Several deliveries wait already. Send a test when they have been sent."))
        event = log.note(session, EventKind.WEBHOOK_TESTED, user_id=account.id)
        session.flush()
        session.add(Delivery(webhook_id=webhook.id, event_id=event.id))


def send_again(arena: Arena, account: Account, webhook_id: int, delivery_id: int) -> None:
    """Send a delivery again that was made or given up, with the same ID. Raises `Refused` and `NotFound`."""
    with arena.transaction() as session:
        webhook = find(session, account, webhook_id)
        _check_in_use(webhook)
        delivery = session.get(Delivery, delivery_id, with_for_update=True)
        if delivery is None or delivery.webhook_id != webhook_id:
            raise NotFound(_("There is no delivery %(id)s.", id=delivery_id))
        outbox.send_again(delivery)


def find(session: Session, account: Account, webhook_id: int) -> Webhook:
    """Return a webhook of the account. Raises `NotFound`."""
    webhook = session.get(Webhook, webhook_id)
    if webhook is None or webhook.user_id != account.id:
        raise NotFound(_("There is no webhook %(id)s.", id=webhook_id))
    return webhook


def _check_in_use(webhook: Webhook) -> None:
    if webhook.disabled is not None:
        raise Refused(_("This webhook is not in use. Save it to put it back in use."))


def _chosen(kinds: Collection[str]) -> list[str]:
    """Return these kinds in order. Raises `Refused` if there are none, or other ones."""
    if not kinds or not set(kinds) <= set(CHOICES):
        raise Refused(_("Choose at least one kind of event: %(kinds)s.", kinds=", ".join(CHOICES)))
    return [str(kind) for kind in CHOICES if kind in kinds]
