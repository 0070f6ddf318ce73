"""Webhooks of the account of the token."""

from typing import Annotated

from msgspec import Meta

from arena.services.base.inputs import STORABLE, Change, Input
from arena.services.events.kinds import EventKind
from arena.services.people.keys import Scope
from arena.services.webhooks import actions, pages
from arena.services.webhooks.views import WebhookRow
from web.api.lists import Items
from web.api.operations import Resource
from web.api.types.actions import Created
from web.api.types.base import made
from web.api.types.events import WebhookDetail
from web.serving.session import arena, member
from web.webhooks.pages import limit_webhooks

resource = Resource("Webhooks", "Addresses to which events are sent, signed after Standard Webhooks.")

Url = Annotated[str, Meta(max_length=500, pattern=STORABLE, description="URL that takes POST requests.")]
Kinds = Annotated[list[EventKind], Meta(min_length=1, description="Kinds of events that are sent.")]
Everything = Annotated[bool, Meta(description="Whether public events about others are sent as well.")]


class NewWebhook(Input):
    """A webhook."""

    url: Url
    kinds: Kinds
    everything: Everything = False


@resource.get("/webhooks", Scope.READ)
def list_webhooks() -> Items[WebhookRow]:
    """Return your webhooks, oldest first."""
    return Items(pages.listed(arena(), member()), None)


@resource.get("/webhooks/{webhook_id}", Scope.UPLOAD)
def get_webhook(webhook_id: int) -> WebhookDetail:
    """Return a webhook with its secret and its latest deliveries."""
    return _detail(webhook_id)


@resource.post("/webhooks", Scope.UPLOAD, creates=True, limits=(limit_webhooks,))
def create_webhook(body: NewWebhook) -> Created:
    """Add a webhook."""
    made = actions.add(arena(), member(), body.url, body.kinds, body.everything)
    return Created(made, f"/api/v1/webhooks/{made}", f"/account/webhooks/{made}")


@resource.patch("/webhooks/{webhook_id}", Scope.UPLOAD, limits=(limit_webhooks,))
def change_webhook(webhook_id: int, body: Change[NewWebhook]) -> WebhookDetail:
    """Change a webhook, and put it back in use if it was switched off."""
    row = pages.page(arena(), member(), webhook_id).row
    wanted = body.of(NewWebhook(row.url, list(map(EventKind, row.kinds)), row.everything))
    actions.change(arena(), member(), webhook_id, wanted.url, wanted.kinds, wanted.everything)
    return _detail(webhook_id)


@resource.delete("/webhooks/{webhook_id}", Scope.UPLOAD)
def delete_webhook(webhook_id: int) -> None:
    """Delete a webhook with its deliveries."""
    actions.remove(arena(), member(), webhook_id)


@resource.post("/webhooks/{webhook_id}/secret", Scope.UPLOAD, limits=(limit_webhooks,))
def renew_secret(webhook_id: int) -> WebhookDetail:
    """Give a webhook a new secret. Deliveries are signed with it from now on."""
    actions.renew_secret(arena(), member(), webhook_id)
    return _detail(webhook_id)


@resource.post("/webhooks/{webhook_id}/test", Scope.UPLOAD, limits=(limit_webhooks,))
def test_webhook(webhook_id: int) -> None:
    """Send a test event to a webhook."""
    actions.test(arena(), member(), webhook_id)


@resource.post("/webhooks/{webhook_id}/deliveries/{delivery_id}/again", Scope.UPLOAD, limits=(limit_webhooks,))
def send_delivery_again(webhook_id: int, delivery_id: int) -> None:
    """Send a delivery again, with the same ID."""
    actions.send_again(arena(), member(), webhook_id, delivery_id)


def _detail(webhook_id: int) -> WebhookDetail:
    page = pages.page(arena(), member(), webhook_id)
    return made(WebhookDetail, page.row, page)
