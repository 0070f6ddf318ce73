"""The bell: publishes doorbells after a commit. What cannot be published is logged, and the sweep rings later."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import structlog
from celery import Celery

from arena.services.context import Bell, Doorbell
from arena.settings import Settings
from workers.config import TABLES, TASKS, URGENT, make_app

log: Final = structlog.get_logger()


def celery_bell(settings: Settings) -> Bell:
    """A bell that rings the workers behind the broker of these settings."""
    return partial(publish, make_app(settings))


def publish(app: Celery, doorbells: Sequence[Doorbell]) -> None:
    """Publish doorbells, in order. Never raises: the transaction that they are about is committed already."""
    try:
        with app.producer_pool.acquire(block=True, timeout=1) as producer:
            for bell in doorbells:
                queue = URGENT if bell.urgent else TABLES
                app.send_task(TASKS[bell.task], [bell.id], queue=queue, producer=producer, retry=False)
    except Exception as error:
        log.warning("doorbells not rung; the sweep will", count=len(doorbells), error=str(error))
