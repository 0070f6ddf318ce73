"""Leftovers: data that no result, page or check needs after some time, and their deletion."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Final, NamedTuple

from arena.services.base.context import Arena
from arena.services.bots import sources
from arena.services.bots.sources import DAY
from arena.services.trials import disposal

LEAST: Final = 1.0
"""Least age of trials in days: the quota counts those of the last day."""
LOG_LIMIT: Final = 64 * 1024 * 1024
"""Size, in bytes, above which a log in use is started anew."""


class Leftovers(NamedTuple):
    """Things of one kind that can be deleted, or have been."""

    what: str
    number: int
    bytes: int
    """Space that they occupy, or occupied."""


def find(arena: Arena, days: float) -> list[Leftovers]:
    """Return what `prune` would delete, by kind."""
    return [
        Leftovers("sources of rejected versions", *sources.stored(arena, days)),
        _files("logs of earlier runs", _old_logs(arena, days)),
        _files("large logs, started anew", _large_logs(arena)),
        Leftovers("trials, with their matches", *disposal.stored(arena, max(days, LEAST))),
    ]


def prune(arena: Arena, days: float) -> list[Leftovers]:
    """Delete what is older than this number of days: sources of rejected versions, trials, logs; return what it was.

    Logs in use are started anew if they are large. A pruned version keeps its size, hash and report.
    """
    found = find(arena, days)
    sources.delete_rejected(arena, days)
    disposal.delete_old(arena, max(days, LEAST))
    for log in _old_logs(arena, days):
        log.unlink(missing_ok=True)
    for log in _large_logs(arena):
        _start_anew(log)
    return found


def _old_logs(arena: Arena, days: float) -> Iterator[Path]:
    """Yield the logs of earlier runs to which nothing was written lately."""
    logs = arena.settings.logs.glob("*.log.1")
    return (log for log in logs if log.stat().st_mtime < time() - days * DAY)


def _large_logs(arena: Arena) -> Iterator[Path]:
    return (log for log in arena.settings.logs.glob("*.log") if log.stat().st_size > LOG_LIMIT)


def _start_anew(log: Path) -> None:
    """Copy a log and empty it: its process keeps it open, and appends to the file whatever its name."""
    shutil.copyfile(log, log.with_suffix(".log.1"))
    with log.open("r+b") as file:
        file.truncate()


def _files(what: str, paths: Iterator[Path]) -> Leftovers:
    sizes = [path.stat().st_size for path in paths]
    return Leftovers(what, len(sizes), sum(sizes))
