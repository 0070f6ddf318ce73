"""Webhooks."""

from typing import Annotated

from arena.services.base.views import says
from arena.services.webhooks.views import DeliveryRow, WebhookRow


class WebhookDetail(WebhookRow, frozen=True):
    """A webhook with its secret and its latest deliveries."""

    secret: Annotated[str, says("Key that signs deliveries, for libraries of Standard Webhooks.")]
    deliveries: tuple[DeliveryRow, ...]
