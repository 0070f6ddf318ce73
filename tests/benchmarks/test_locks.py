"""The benchmark of locks performs every step, and no step reads more if only the history is longer."""

import re
import shutil
from pathlib import Path

import pytest

from arena.services.base.context import Arena, open_arena
from benchmarks import locks
from benchmarks.plausible import Size, write
from benchmarks.watched import Watched
from tests import factories

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"
HISTORY = (400, 8000)
NOISE = 2000
"""Steps of SQLite's virtual machine by which equal work may differ."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a small arena with just enough bots for every step."""
    for name, number in {"BOTS": 21, "SCHEDULES": 6, "OPEN": 3, "FIELD": 5}.items():
        monkeypatch.setattr(locks, name, number)


def used(arena: Arena, matches: int) -> Watched:
    """Fill an arena, perform each step once, and return what was measured."""
    watched = Watched(arena.settings.database_url)
    write(arena, Size(matches, locks.BOTS))
    locks.Played(arena, watched, 1).run()
    watched.close()
    return watched


def test_every_step_is_measured(arena: Arena) -> None:
    """Each step has figures on both databases, and the page lists the steps in the same order."""
    watched = used(arena, HISTORY[0])
    table = locks.about("a database", HISTORY, [watched, watched])

    assert all(sum(work) for step, work in watched.work.items() if step != "expired leases")
    assert all(lock.real > 0 and lock.cpu > 0 for held in watched.held.values() for lock in held)
    section = PAGE.read_text().partition("## Locks\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|", section, re.MULTILINE)[2:]
    assert rows[: len(table.rows)] == [row[0] for row in table.rows]


def test_longer_history_is_not_read(tmp_path: Path, sqlite_template: Path) -> None:
    """With twenty times the history, every transaction does the same work."""
    work = []
    for matches in HISTORY:
        home = tmp_path / str(matches)
        home.mkdir()
        shutil.copy(sqlite_template, home / "arena.db")
        arena = open_arena(factories.settings_in(home))
        watched = used(arena, matches)
        arena.close()
        work.append({step: max(steps) for step, steps in watched.work.items()})

    before, after = work
    assert {step: steps for step, steps in after.items() if steps > before[step] + NOISE} == {}
