"""Comparison of all bots, as the command ``arena copies`` in a process of its own."""

import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

from arena.services.work.urgent import LOOK_EVERY

COMMAND: Final = ("nice", sys.executable, "-m", "arena", "copies")
LIMIT: Final = 900.0
"""Seconds after which a comparison is stopped; a thousand bots take less than a minute on an idle machine."""

log: Final = structlog.get_logger()


def run(meanwhile: Callable[[], None], limit: float = LIMIT) -> None:
    """Compare all bots, and call `meanwhile` now and then. A failure is logged: the latest report stays."""
    end = time.monotonic() + limit
    with subprocess.Popen(COMMAND, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as child:  # noqa: S603
        while time.monotonic() < end:
            with suppress(subprocess.TimeoutExpired):
                _, said = child.communicate(timeout=min(LOOK_EVERY, limit))
                break
            meanwhile()
        else:
            child.kill()
            _, said = child.communicate()
    if child.returncode:
        log.error("the comparison of all bots failed", reason=said.strip()[-500:], code=child.returncode)
