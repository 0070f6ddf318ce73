"""Settings of gunicorn, under gunicorn's names."""

import gc
from pathlib import Path
from typing import Any

from arena.settings import Settings, usable_cores
from workers import logs
from workers.pulse import Pulse, own_name

_settings = Settings.from_env()
logs.configure_logs(_settings.log_level, _settings.log_format)

bind = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
workers = min(4, usable_cores())
worker_class = "web.serving.reader.Reader"
threads = 8
timeout = 30
graceful_timeout = 3
_memory = Path("/dev/shm")  # noqa: S108 -- gunicorn makes a private file in it
worker_tmp_dir = str(_memory) if _memory.is_dir() else None  # a slow disk must not delay heartbeats
loglevel = _settings.log_level
logconfig_dict = logs.config(_settings.log_level, _settings.log_format)
proc_name = "suit-arena-web"
control_socket_disable = True  # it lies in the user's home and would clash with a second arena's
preload_app = True  # so that the processes share the memory of what is imported


def when_ready(server: Any) -> None:
    """Prepare the memory for sharing, before processes are forked from it."""
    gc.collect()
    gc.freeze()  # collections would write to every object and so copy its page


def post_worker_init(worker: Any) -> None:
    """Report this process to the database from now on."""
    worker.pulse = Pulse(worker.wsgi.extensions["arena"], own_name(), "web")
    worker.pulse.start()


def worker_exit(server: Any, worker: Any) -> None:
    """Report that this process ends."""
    if hasattr(worker, "pulse"):  # it has none if it did not come up
        worker.pulse.stop()
