"""Leftovers: data that no result, page or check needs after some time, and their deletion."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, func, select, update

from arena.db.clock import now
from arena.db.models import Version
from arena.services.base.context import Arena
from arena.services.base.states import VersionState

DAY: Final = 86400.0
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
    with arena.reading() as session:
        size = func.coalesce(func.sum(func.length(Version.source)), 0)
        sources = session.execute(select(func.count(), size).where(*_rejected(days))).one()
    return [
        Leftovers("sources of rejected versions", *map(int, sources)),
        _files("logs of earlier runs", _old_logs(arena, days)),
        _files("large logs, started anew", _large_logs(arena)),
    ]


def prune(arena: Arena, days: float) -> list[Leftovers]:
    """Delete sources of versions rejected, and logs written, more than this number of days ago; return what it was.

    Logs in use are started anew if they are large. A pruned version keeps its size, hash and report.
    """
    found = find(arena, days)
    with arena.reading() as session:
        rejected = session.scalars(select(Version.id).where(*_rejected(days))).all()
    for version_id in rejected:  # each in a transaction of its own: a source may have megabytes
        with arena.transaction() as session:
            session.execute(update(Version).where(Version.id == version_id, *_rejected(days)).values(source=b""))
    for log in _old_logs(arena, days):
        log.unlink(missing_ok=True)
    for log in _large_logs(arena):
        _start_anew(log)
    return found


def _rejected(days: float) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the versions whose sources can be deleted."""
    return (Version.state == VersionState.INVALID, ~Version.pruned, Version.created < now() - days * DAY)


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
