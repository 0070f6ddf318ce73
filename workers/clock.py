"""The clock inside a worker: rings for the sweep from its event loop, where no process of its own is needed."""

from typing import Any, Final

from celery import Celery, bootsteps

from arena.services.base.context import Doorbell
from arena.services.work.sweep import SWEEP_EVERY
from workers.bell import publish
from workers.config import SWEEP

TICK: Final = Doorbell(SWEEP, 0, urgent=True)


class Clock(bootsteps.StartStopStep):  # type: ignore[misc]
    """A step of Celery's consumer: it runs while the worker is connected to the broker."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, consumer: Any) -> None:
        """Ring now and at every interval."""
        ring(consumer.app)
        self._entry = consumer.timer.call_repeatedly(SWEEP_EVERY, ring, (consumer.app,))

    def stop(self, consumer: Any) -> None:
        """Stop ringing, because the connection is closed."""
        self._entry.cancel()


def ring(app: Celery) -> None:
    """Ring for a sweep."""
    publish(app, [TICK])
