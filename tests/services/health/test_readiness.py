"""Readiness: whether the arena can play now."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from arena.services.base.context import Arena, open_arena
from arena.services.health import heartbeats
from arena.services.health.heartbeats import Sign
from arena.services.health.readiness import checks
from tests import factories

READY = Sign("a:1", "worker", "idle", active=2.0, held=30.0)


def found(arena: Arena) -> dict[str, tuple[bool, str]]:
    """Return the result of each check by name."""
    return {check.name: (check.holds, check.says) for check in checks(arena)}


def test_worker_that_hears_and_holds_bots_is_ready(arena: Arena) -> None:
    """All checks hold."""
    heartbeats.report(arena, READY)

    assert [(check.name, check.holds) for check in checks(arena)] == [
        ("database", True), ("schema", True), ("workers", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("signs", "says"),
    [
        ([], "No worker process reports."),
        ([replace(READY, kind="web")], "No worker process reports."),
        ([replace(READY, state="paused")], "All worker processes are paused or out (1)."),
        ([replace(READY, active=None)], "No worker process has taken a doorbell yet (of 1)."),
        ([replace(READY, active=90.0)], "No worker process has taken a doorbell for 90 s (of 1)."),
        ([replace(READY, held=None)], "No worker process has held a bot yet (of 1)."),
        ([replace(READY, held=400.0)], "No worker process has held a bot for 400 s (of 1)."),
    ],
)
def test_workers_that_cannot_play_are_not_ready(arena: Arena, signs: list[Sign], says: str) -> None:
    """Live processes are not enough: some must take doorbells and hold bots."""
    for sign in signs:
        heartbeats.report(arena, sign)

    assert found(arena)["workers"] == (False, says)


def test_one_healthy_worker_is_enough(arena: Arena) -> None:
    """Deaf and paused processes do not matter beside it."""
    heartbeats.report(arena, replace(READY, name="b:1", state="paused", active=None, held=None))
    heartbeats.report(arena, READY)

    assert found(arena)["workers"][0]


def test_foreign_schema_is_not_ready(arena: Arena) -> None:
    """Then the workers are not looked at: their table may not exist."""
    with arena.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    assert [(check.name, check.holds) for check in checks(arena)] == [("database", True), ("schema", False)]


def test_database_that_fails_is_not_ready(arena: Arena) -> None:
    """The sentence names the kind of error and no stored data."""
    missing = replace(factories.settings_in(arena.settings.home), database_url="sqlite:////proc/none/arena.db")
    lost = Arena(missing, open_arena(arena.settings).database, arena.bell)
    lost.database.close()
    with arena.transaction() as session:
        session.execute(text("ALTER TABLE processes RENAME TO lost"))

    (check,) = checks(lost)

    assert (check.name, check.holds) == ("database", False)
    assert check.says in ("It cannot be used (OperationalError).", "It cannot be used (ProgrammingError).")
