"""Views of webhooks and their deliveries."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class DeliveryState(StrEnum):
    """State of a delivery."""

    WAITING = "waiting"
    """To be sent, or sent again."""
    DELIVERED = "delivered"
    """Accepted by the receiver with a status from 200 to 299."""
    FAILED = "failed"
    """Given up after the last attempt."""


@dataclass(frozen=True)
class WebhookRow:
    """A webhook of a member."""

    id: int
    url: str
    kinds: tuple[str, ...]
    everything: bool
    """Whether public events about others are sent as well."""
    failing: datetime | None
    """Time of the first failure since the last success."""
    disabled: str | None
    """Reason why nothing is sent; None if it is in use."""
    created: datetime


@dataclass(frozen=True)
class DeliveryRow:
    """An event on its way to a webhook, or what became of it."""

    id: int
    state: str
    number: int
    """Number of the event."""
    kind: str
    text: str
    """Sentence about the event."""
    at: datetime
    """Time of the event."""
    due: datetime
    """Time of the next attempt, if it waits."""
    attempts: int
    sent: datetime | None
    """Time of the last attempt."""
    status: int | None
    answer: str
    """Beginning of the last answer, or why there was none."""
    milliseconds: int | None
    """Duration of the last attempt."""


@dataclass(frozen=True)
class WebhookPage:
    """A webhook with its secret and its latest deliveries."""

    row: WebhookRow
    secret: str
    deliveries: tuple[DeliveryRow, ...]
