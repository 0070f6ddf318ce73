"""Conditions under which a worker process takes no work."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from arena.db.models import Table
from arena.games.errors import Misconfigured
from arena.services.base.access import Account
from arena.services.base.context import PLAY, Arena, Doorbell
from arena.services.queue import space
from tests import factories
from tests.workers.test_poller import StillCage
from workers.guard import Guard, require_release
from workers.poller import Poller
from workers.process import WorkerProcess

MIB = 1 << 20


def with_free_space(monkeypatch: pytest.MonkeyPatch, mib: int) -> None:
    """Make all disks have this much free space."""
    usage: Any = type("usage", (), {"free": mib * MIB})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)


def test_worker_takes_nothing_while_disk_is_nearly_full(
    arena: Arena,
    admin: Account,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker claims nothing, logs the reason once, and continues when there is space again."""
    if arena.database.engine.name != "sqlite":
        arena = replace(arena, settings=replace(arena.settings, database_url=f"sqlite:///{arena.settings.home}/x"))
    [table] = factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))
    worker = WorkerProcess(arena, StillCage(), "tester")  # type: ignore[arg-type]
    worker._room = Guard("no room for results", lambda: space.shortage(arena.settings), every=0)

    with capture_logs() as logs:
        with_free_space(monkeypatch, 199)
        for _ in range(2):
            worker.answer(Doorbell(PLAY, table))
        with arena.reading() as session:
            assert session.get_one(Table, table).attempts == 0
        with_free_space(monkeypatch, 200)
        worker.answer(Doorbell(PLAY, table))

    with arena.reading() as session:
        assert session.get_one(Table, table).state == "done"
    assert [log["event"] for log in logs if "room" in log["event"]] == [
        "no room for results; this worker takes no work for now",
        "no room for results no longer; this worker takes work again",
    ]
    assert "199 MiB" in next(log["reason"] for log in logs if "reason" in log)


def test_only_sqlite_databases_are_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL may be on another machine, and watches its own disk; a reserve of 0 watches nothing."""
    with_free_space(monkeypatch, 0)

    def shortage(**variables: str) -> str:
        return space.shortage(factories.settings_in(tmp_path, **variables))

    assert str(tmp_path) in shortage()
    assert shortage(ARENA_DATABASE_URL="postgresql://arena@db/arena") == ""
    assert shortage(ARENA_DISK_RESERVE="0") == ""


def test_worker_ends_when_newer_release_migrates(arena: Arena, admin: Account) -> None:
    """The worker takes no table, does not sweep, says why once, and asks for the end of the whole worker once."""
    [table] = factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))
    retired: list[int] = []
    worker = WorkerProcess(arena, StillCage(), "tester", retire=lambda: retired.append(1))  # type: ignore[arg-type]
    with arena.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with capture_logs() as logs:
        worker.answer(Doorbell(PLAY, table))
        worker.tick()
        Poller(worker, silence=0).poll()

    with arena.reading() as session:
        assert session.get_one(Table, table).attempts == 0
    assert worker.swept_at is None
    assert retired == [1]
    assert worker.pulse.sign().state == "out"
    assert len([log for log in logs if "newer release" in log.get("reason", "")]) == 1


def test_check_is_not_repeated_at_once() -> None:
    """A result is used for some seconds, and a check that cannot be made counts as passed."""
    checks: list[int] = []

    def check() -> str:
        checks.append(1)
        raise FileNotFoundError("the folder is gone")

    guard = Guard("no room", check, every=60)

    assert guard.holds()
    assert guard.holds()
    assert len(checks) == 1


def test_foreign_database_ends_worker_before_it_starts(arena: Arena) -> None:
    """The supervisor must not start it again and again."""
    require_release(arena.settings)
    with arena.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(Misconfigured, match="newer release"):
        require_release(arena.settings)


def test_silent_database_does_not_end_worker(tmp_path: Path) -> None:
    """A database that does not answer now may come back."""
    require_release(factories.settings_in(tmp_path, ARENA_DATABASE_URL="postgresql://arena@127.0.0.1:1/arena"))
