"""The Celery app: ``celery --app workers.app worker`` and ``… beat``."""

import gc
import multiprocessing
import tempfile
from typing import Any, Final

from celery import signals
from sqlalchemy.orm import configure_mappers

from arena.games.cards import make_rows, make_token_rows
from arena.settings import Settings
from workers import process
from workers.config import make_app
from workers.logs import configure_logs
from workers.poller import Poller

SETTINGS: Final = Settings.from_env()
app: Final = make_app(SETTINGS)

# Otherwise a worker creates a folder just for unnamed files, and leaves it behind when it is killed.
multiprocessing.current_process()._config.setdefault("tempdir", tempfile.gettempdir())  # type: ignore[attr-defined]


@signals.setup_logging.connect
def _logs(**_: Any) -> None:
    configure_logs(SETTINGS.log_level, SETTINGS.log_format)


@signals.worker_init.connect
def _warm_up(**_: Any) -> None:
    """Make once what every process needs, so that the processes share its memory."""
    configure_mappers()
    make_rows()
    make_token_rows()


@signals.worker_before_create_process.connect
def _share(**_: Any) -> None:
    gc.collect()
    gc.freeze()  # collections would write to every object and so copy the page that the processes share


@signals.worker_process_init.connect
def _begin(**_: Any) -> None:
    Poller(process.begin(SETTINGS)).start()


@signals.worker_process_shutdown.connect
def _end(**_: Any) -> None:
    process.end()
