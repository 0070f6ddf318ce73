"""Backups: write an arena to an archive while it plays, restore it, and move it to another database."""

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Final

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from arena.db.archive import Archive, Manifest, write
from arena.db.clock import now
from arena.db.models import AccessToken, AccountLink, DeviceRequest, Process, Table, UserSession, Version
from arena.db.rows import Snapshot
from arena.db.transfer import alone, fill
from arena.games.errors import ArenaError
from arena.services.base.context import Arena, open_arena
from arena.services.base.states import TableState
from arena.services.integrity import fsck
from arena.services.queue import claims
from arena.services.queue.leases import VERSIONS
from arena.services.ratings import tallies
from arena.services.tournaments import standings
from arena.services.work import validation
from arena.settings import Settings

PAST: Final = 0.0
"""Time at which every lease has run out."""


def backup(arena: Arena, path: Path) -> Manifest:
    """Write a snapshot of the arena to a new file, which appears when it is complete.

    The database may be of an older release. Raises `ArenaError` if it holds no arena, or if the file exists or cannot
    be written.
    """
    if path.exists():
        raise ArenaError(f"{path} already exists. Choose another name.")
    try:
        with TemporaryDirectory(prefix=".backup-", dir=path.parent) as folder:
            part = Path(folder) / path.name
            with arena.reading() as session, _private(part) as file:
                created = session.scalars(select(now())).one()
                manifest = write(file, _snapshot(session), created)
                os.fsync(file.fileno())
            part.rename(path)
    except OSError as error:
        raise ArenaError(f"The backup {path} cannot be written: {error.strerror or error}") from None
    return manifest


def _snapshot(session: Session) -> Snapshot:
    snapshot = Snapshot(session.connection())
    if not snapshot.revision:
        raise ArenaError("The database (ARENA_DATABASE_URL) holds no arena.")
    return snapshot


def _private(path: Path) -> BinaryIO:
    """Create a file that only this user can open: a backup contains sources and hashes of passwords."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")


def verify(settings: Settings, path: Path) -> list[str]:
    """Restore a backup to a temporary SQLite database beside it, and return a sentence for each violated invariant.

    Raises `ArenaError` if it cannot be restored.
    """
    with TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
        trial = replace(settings, database_url=f"sqlite:///{folder}/arena.db")
        return restore(trial, path)


def restore(settings: Settings, path: Path, overwrite: bool = False) -> list[str]:
    """Restore a backup to the database of `settings`, and return a sentence for each violated invariant.

    All members log in again. If anything fails, the database stays as it was. Raises `ArenaError` if the backup is
    damaged or of a newer release, if the database is in use, or if it holds an arena and `overwrite` is false.
    """
    with Archive(path) as archive, alone(settings.database_url) as connection:
        if fill(connection, archive, overwrite) != archive.tallies:
            raise ArenaError(f"{path} is damaged: its rows differ from those that were written. Nothing was changed.")
    with closing(open_arena(settings)) as arena:
        end_log_ins(arena)
    return _settle(settings)


def move(settings: Settings, url: str, overwrite: bool = False) -> list[str]:
    """Copy the arena of another database to that of `settings`; return a sentence for each violated invariant.

    Raises `ArenaError` if one of the databases is in use, or if the target holds an arena and `overwrite` is false.
    """
    with alone(url) as source, alone(settings.database_url) as connection:
        fill(connection, Snapshot(source), overwrite)
    return _settle(settings)


def _settle(settings: Settings) -> list[str]:
    with closing(open_arena(settings)) as arena:
        tallies.backfill(arena)
        standings.backfill(arena)
        release(arena)
        return [str(finding) for finding in fsck.check(arena) if not finding.heals]


def end_log_ins(arena: Arena) -> None:
    """End all sessions, tokens and links to accounts: some of them may have ended after the backup was made."""
    with arena.transaction() as session:
        for model in (UserSession, AccountLink, AccessToken, DeviceRequest):
            session.execute(delete(model))


def release(arena: Arena) -> None:
    """End all leases, and forget all doorbells and processes, so that workers start where others were interrupted."""
    with arena.transaction() as session:
        session.execute(update(Table).where(Table.state == TableState.RUNNING).values(lease_until=PAST))
        session.execute(
            update(Table).where(Table.state == TableState.QUEUED, Table.rung_at.is_not(None)).values(rung_at=None)
        )
        session.execute(update(Version).where(*VERSIONS.held).values(lease_until=PAST))
        session.execute(delete(Process))
        validation.expire(session)
    claims.expire(arena)
