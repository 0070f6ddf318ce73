"""The bell: publishes doorbells after a commit. Unpublished doorbells are logged; the sweep rings again later."""

from collections.abc import Sequence
from typing import Final

import structlog
from celery import Celery

from arena.services.base.context import Doorbell
from arena.settings import Settings
from workers.config import TABLES, TASKS, URGENT, make_app

log: Final = structlog.get_logger()


class CeleryBell:
    """Rings the workers behind the broker of these settings."""

    def __init__(self, settings: Settings) -> None:
        self._app = make_app(settings)
        self.delivers = True
        """Whether the last doorbells were published."""

    def __call__(self, doorbells: Sequence[Doorbell]) -> bool:
        """Publish doorbells. Return whether all were published."""
        self.delivers = publish(self._app, doorbells)
        return self.delivers


def publish(app: Celery, doorbells: Sequence[Doorbell]) -> bool:
    """Publish doorbells in order, and return whether all were published.

    Never raises, because the transaction that caused them has already committed.
    """
    try:
        with app.producer_pool.acquire(block=True, timeout=1) as producer:
            for bell in doorbells:
                queue = URGENT if bell.urgent else TABLES
                app.send_task(TASKS[bell.task], list(bell.ids), queue=queue, producer=producer, retry=False)
    except Exception as error:
        log.warning("doorbells not published; the sweep will ring again", count=len(doorbells), error=str(error))
        return False
    return True
