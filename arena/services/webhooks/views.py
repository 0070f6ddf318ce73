"""Views of webhooks and their deliveries."""

from dataclasses import dataclass
from typing import Annotated

from arena.services.base.views import Time, View, says


class WebhookRow(View, frozen=True):
    """An address to which events are sent."""

    id: int
    url: str
    kinds: Annotated[tuple[str, ...], says("Kinds of events that are sent.")]
    everything: Annotated[bool, says("Whether public events about others are sent as well.")]
    failing: Annotated[Time | None, says("Time of the first failure since the last success.")]
    disabled: Annotated[str | None, says("Reason why nothing is sent; null if it is in use.")]
    created: Time


class DeliveryRow(View, frozen=True):
    """An event on its way to a webhook, or what became of it."""

    id: int
    state: Annotated[str, says("`waiting`, `delivered` or `failed`.")]
    number: Annotated[int, says("Number of the event.")]
    kind: str
    text: Annotated[str, says("Sentence about the event.")]
    at: Annotated[Time, says("Time of the event.")]
    due: Annotated[Time, says("Time of the next attempt, if it waits.")]
    attempts: int
    sent: Annotated[Time | None, says("Time of the last attempt.")]
    status: Annotated[int | None, says("HTTP status of the last answer.")]
    answer: Annotated[str, says("Beginning of the last answer, or why there was none.")]
    milliseconds: Annotated[int | None, says("Duration of the last attempt.")]


@dataclass(frozen=True)
class WebhookPage:
    """A webhook with its secret and its latest deliveries."""

    row: WebhookRow
    secret: str
    deliveries: tuple[DeliveryRow, ...]
