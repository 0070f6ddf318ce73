"""The write-ahead log of SQLite."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from arena.db import session as sessions
from arena.db.models import User
from arena.services.base.context import Arena, open_arena
from arena.services.work import sweep
from tests import factories

KIB = 1024


@pytest.fixture
def sqlite_arena(sqlite_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Arena]:
    """Open an arena with one user and a small limit."""
    monkeypatch.setattr(sessions, "LOG_LIMIT", 512 * KIB)
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    opened = open_arena(factories.settings_in(tmp_path))
    factories.user(opened, "ada")
    yield opened
    opened.close()


def write(arena: Arena, times: int) -> None:
    """Write 100 KiB in each of this number of transactions."""
    for number in range(times):
        with arena.transaction() as session:
            session.execute(update(User).values(password=str(number) * 100 * KIB))


def size(arena: Arena) -> int:
    """Return the size of the log in bytes."""
    return (arena.settings.home / "arena.db-wal").stat().st_size


def test_sweep_empties_the_log_after_a_long_reader(sqlite_arena: Arena) -> None:
    """A reader keeps the log from being emptied, and sees its snapshot; the first sweep after it empties the log."""
    with sqlite_arena.reading() as reader:
        reader.scalars(select(User.id)).all()
        write(sqlite_arena, 20)
        grown = size(sqlite_arena)
        assert grown > 20 * 100 * KIB
        sweep.tick(sqlite_arena)
        assert size(sqlite_arena) >= grown
        assert reader.scalar(select(User.password)) is None

    sweep.tick(sqlite_arena)

    assert size(sqlite_arena) == 0
    write(sqlite_arena, 1)
    with sqlite_arena.reading() as session:
        assert session.scalar(select(User.password)) == "0" * 100 * KIB


def test_small_log_stays(sqlite_arena: Arena) -> None:
    """A log below the limit is left to SQLite, which reuses it."""
    before = size(sqlite_arena)
    sweep.tick(sqlite_arena)

    assert size(sqlite_arena) >= before > 0
