"""Events, webhooks and deliveries."""

from typing import Annotated, Any

from arena.services.events.log import EventRow
from arena.services.webhooks.views import WebhookPage
from web.api.types.base import Part, Time, each, made, says


class Event(Part):
    """Something that happened."""

    number: Annotated[int, says("Place in the log, and the cursor `after` which reading goes on.")]
    kind: Annotated[str, says("Kind of the event, such as `tournament.finished`.")]
    at: Time
    text: Annotated[str, says("A sentence about it.")]
    tournament_id: int | None
    bot_id: int | None
    version_id: int | None
    data: Annotated[dict[str, Any], says("Names and numbers at that time; they depend on the kind.")]


class Webhook(Part):
    """An address to which events are sent."""

    id: int
    url: str
    kinds: Annotated[tuple[str, ...], says("Kinds of events that are sent.")]
    everything: Annotated[bool, says("Whether public events about others are sent as well.")]
    failing: Annotated[Time | None, says("Time of the first failure since the last success.")]
    disabled: Annotated[str | None, says("Reason why nothing is sent; null if it is in use.")]
    created: Time


class Delivery(Part):
    """An event on its way to a webhook, or what became of it."""

    id: int
    state: Annotated[str, says("`waiting`, `delivered` or `failed`.")]
    number: Annotated[int, says("Number of the event.")]
    kind: str
    text: str
    at: Annotated[Time, says("Time of the event.")]
    due: Annotated[Time, says("Time of the next attempt, if it waits.")]
    attempts: int
    sent: Annotated[Time | None, says("Time of the last attempt.")]
    status: Annotated[int | None, says("HTTP status of the last answer.")]
    answer: Annotated[str, says("Beginning of the last answer, or why there was none.")]
    milliseconds: Annotated[int | None, says("Duration of the last attempt.")]


class WebhookDetail(Webhook):
    """A webhook with its secret and its latest deliveries."""

    secret: Annotated[str, says("Key that signs deliveries, for libraries of Standard Webhooks.")]
    deliveries: tuple[Delivery, ...]


def event(row: EventRow) -> Event:
    """Return an event."""
    return made(Event, row)


def webhook_detail(page: WebhookPage) -> WebhookDetail:
    """Return a webhook with its deliveries."""
    return made(WebhookDetail, page.row, secret=page.secret, deliveries=each(Delivery, page.deliveries))
