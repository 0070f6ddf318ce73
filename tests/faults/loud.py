"""The slow app with a bell that publishes every doorbell four times."""

from collections.abc import Sequence

from celery import Celery

from arena.services.base.context import Doorbell
from workers import bell

publish = bell.publish


def four_times(app: Celery, doorbells: Sequence[Doorbell]) -> bool:
    """Publish each doorbell four times in a row."""
    return publish(app, [doorbell for doorbell in doorbells for _ in range(4)])


bell.publish = four_times

from tests.faults.slow import app as app  # noqa: E402 -- its processes take the bell when they start
