"""Celery's configuration.

A message is a doorbell with an ID; the queue itself is the database (`arena.services.queue`). The broker holds
nothing that matters: it may lose, delay or duplicate messages, or be emptied.
"""

from typing import Any, Final

from celery import Celery
from kombu.entity import Queue

from arena.services.base.context import ANALYSE, ANNOUNCE, COMPARE, PLAY, VALIDATE
from arena.services.work.sweep import SWEEP_EVERY
from arena.settings import Settings
from workers import qos

URGENT, TABLES = "urgent", "tables"
"""Queues, in the order in which workers empty them."""

SWEEP: Final = "sweep"
"""Doorbell of the clock."""

NODE: Final = "arena@{host}"
"""Name of a machine's workers in Celery."""

TASKS: Final = {
    SWEEP: "workers.tasks.tick",
    PLAY: "workers.tasks.play_table",
    VALIDATE: "workers.tasks.validate",
    ANALYSE: "workers.tasks.analyse",
    ANNOUNCE: "workers.tasks.announce",
    COMPARE: "workers.tasks.compare",
}
"""Task that each kind of doorbell triggers."""

PATIENCE: Final = 5.0
"""Seconds to wait for the broker's socket before the broker counts as down."""
VISIBILITY: Final = 3600
"""Seconds after which the broker delivers an unacknowledged doorbell again. The sweep is faster."""

TRANSPORT: Final[dict[str, Any]] = {
    "queue_order_strategy": "priority",
    "visibility_timeout": VISIBILITY,
    "socket_timeout": PATIENCE,
    "socket_connect_timeout": PATIENCE,
    "socket_keepalive": True,
    "retry_on_timeout": True,
    # Ringing must not wait for a broker that is down.
    "max_retries": 1,
    "interval_start": 0.1,
    "interval_max": 0.1,
}

TICK: Final[dict[str, Any]] = {
    "task": TASKS[SWEEP],
    "schedule": SWEEP_EVERY,
    # Ticks never expire: a worker whose clock is ahead would drop them all. `claim_sweep` skips ticks that piled up.
    "options": {"queue": URGENT},
}


def make_app(settings: Settings) -> Celery:
    """Return a Celery app for these settings."""
    qos.install()
    app = Celery("arena", include=["workers.tasks"], set_as_current=False)
    app.conf.update(
        broker_url=settings.broker_url or "redis://127.0.0.1:6379/0",
        broker_connection_timeout=PATIENCE,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options=TRANSPORT,
        result_backend=None,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_acks_late=True,
        task_queues=[Queue(name) for name in (URGENT, TABLES)],  # type: ignore[no-untyped-call]
        task_default_queue=TABLES,
        worker_prefetch_multiplier=1,
        # Celery would take fewer messages after a lost connection, to avoid duplicates; ours do no harm.
        worker_enable_prefetch_count_reduction=False,
        worker_hijack_root_logger=False,
        beat_schedule={"tick": TICK},
        beat_schedule_filename=str(settings.beat_schedule),
        timezone="UTC",
    )
    return app
