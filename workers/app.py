"""The Celery app. A message is a doorbell with an id; the queue itself is the database (`arena.services.queue`).

Nothing that matters is in the broker: it may lose, delay or double messages, or be emptied.
"""

from typing import Any, Final

from celery import Celery, signals
from kombu.entity import Queue

from arena.services.context import PLAY, VALIDATE
from arena.services.sweep import SWEEP_EVERY
from arena.settings import Settings
from workers import process
from workers.logs import configure_logs

TABLES, URGENT = "tables", "urgent"
VISIBILITY: Final = 3600
"""Seconds after which the broker would deliver an unacknowledged doorbell again. The sweep is faster than that."""
PATIENCE: Final = 5.0
"""Seconds to wait for the broker's socket before it counts as down."""


def make_app(settings: Settings) -> Celery:
    """The app for these settings."""
    app = Celery("arena", include=["workers.tasks"], set_as_current=False)
    app.conf.update(
        broker_url=settings.broker_url or "redis://127.0.0.1:6379/0",
        broker_connection_retry_on_startup=True,
        broker_connection_timeout=PATIENCE,
        broker_transport_options={
            "queue_order_strategy": "priority",
            "visibility_timeout": VISIBILITY,
            "socket_timeout": PATIENCE,
            "socket_connect_timeout": PATIENCE,
            "socket_keepalive": True,
            "retry_on_timeout": True,
        },
        result_backend=None,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_acks_late=True,
        task_reject_on_worker_lost=False,
        worker_prefetch_multiplier=1,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        # The order is the order in which they are emptied.
        task_queues=[Queue(name) for name in (URGENT, TABLES)],  # type: ignore[no-untyped-call]
        task_default_queue=TABLES,
        beat_schedule={"tick": {"task": "workers.tasks.tick", "schedule": SWEEP_EVERY, "options": TICK_OPTIONS}},
        beat_schedule_filename=str(settings.home / "run" / "beat-schedule"),
        timezone="UTC",
    )
    return app


TICK_OPTIONS: Final[dict[str, Any]] = {"queue": URGENT, "expires": 2 * SWEEP_EVERY}
"""A tick that nobody took in time is of no use: the next one does the same."""

TASKS: Final = {PLAY: "workers.tasks.play_table", VALIDATE: "workers.tasks.validate"}
"""The task that each doorbell rings for."""

SETTINGS: Final = Settings.from_env()
app: Final = make_app(SETTINGS)


@signals.setup_logging.connect
def _logs(**_: Any) -> None:
    configure_logs(SETTINGS.log_level)


@signals.worker_process_init.connect
def _begin(**_: Any) -> None:
    process.begin(SETTINGS)


@signals.worker_process_shutdown.connect
def _end(**_: Any) -> None:
    process.end()
