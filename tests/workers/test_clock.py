"""The clock inside the workers of `arena up`."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.services.base.context import Doorbell
from arena.services.work.sweep import SWEEP_EVERY
from workers import clock
from workers.config import SWEEP, TASKS


class Timer:
    """Stands in for the timer of Celery's event loop, and for a consumer that has it."""

    def __init__(self) -> None:
        self.app = object()
        self.timer = self
        self.repeated: list[tuple[float, Callable[[], None]]] = []

    def call_repeatedly(self, seconds: float, function: Callable[..., None], arguments: tuple[Any, ...]) -> "Timer":
        """Note what would be called."""
        self.repeated.append((seconds, lambda: function(*arguments)))
        return self

    def cancel(self) -> None:
        """Forget it."""
        self.repeated.clear()


def test_clock_rings_for_sweep_while_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock rings at once and then at every interval, urgently, until the connection closes."""
    rung: list[Doorbell] = []
    monkeypatch.setattr(clock, "publish", lambda app, doorbells: rung.extend(doorbells))
    consumer, step = Timer(), clock.Clock(None)

    step.start(consumer)
    ((seconds, ring),) = consumer.repeated
    ring()
    step.stop(consumer)

    assert seconds == SWEEP_EVERY
    assert rung == [Doorbell(SWEEP, 0, urgent=True)] * 2
    assert TASKS[SWEEP] == "workers.tasks.tick"
    assert not consumer.repeated
