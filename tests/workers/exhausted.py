"""The workers' app, with processes that cannot open another file after they have started."""

import os
import resource
from pathlib import Path
from typing import Any

from celery import signals

import workers.app
from arena.services.queue import claims
from workers import process

app = workers.app.app


@signals.worker_process_init.connect  # type: ignore[untyped-decorator]
def _use_up(**_options: Any) -> None:
    here = process.current()
    here.cage.open()
    claims.claim(here.arena, -1, here.name)  # connects to the database
    highest = max(int(entry.name) for entry in Path("/proc/self/fd").iterdir())
    while (last := os.open(os.devnull, os.O_RDONLY)) <= highest:
        pass
    os.close(last)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (last, hard))
