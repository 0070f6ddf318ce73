"""Sources of rejected versions, which are deleted some time after the upload. Hash, size and report stay."""

from typing import Final

from sqlalchemy import ColumnElement, Select, and_, func, select, text, update

from arena.db.clock import now
from arena.db.models import Version
from arena.services.base.context import Arena
from arena.services.base.pace import in_time

DAY: Final = 86400.0
BATCH: Final = 20
"""Largest number of sources that a sweep deletes."""


def stored(arena: Arena, days: float) -> tuple[int, int]:
    """Return number and total size of the sources of versions that were rejected more than this many days ago."""
    with arena.reading() as session:
        size = func.coalesce(func.sum(func.length(Version.source)), 0)
        number, total = session.execute(select(func.count(), size).where(*_rejected(days))).one()
        return int(number), int(total)


def delete_rejected(arena: Arena, days: float, most: int | None = None) -> int:
    """Delete up to `most` of these sources, the oldest first, or all; return their number. A batch is short of time.

    Each is deleted in a transaction of its own, because a source may have megabytes.
    """
    with arena.reading() as session:
        found = session.scalars(old(days).limit(most)).all()
    deleted = 0
    for version_id in found if most is None else in_time(found):
        with arena.transaction() as session:
            session.execute(update(Version).where(Version.id == version_id, *_rejected(days)).values(source=b""))
        deleted += 1
    return deleted


def old(days: float) -> Select[int]:
    """Select the IDs of the versions whose sources can be deleted, the oldest first."""
    return select(Version.id).where(*_rejected(days)).order_by(Version.created)


def _rejected(days: float) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the versions whose sources can be deleted, in the words of their index."""
    disposable = and_(text("state = 'invalid'"), text("length(source) > 0"))
    return (disposable, Version.created < now() - days * DAY)
