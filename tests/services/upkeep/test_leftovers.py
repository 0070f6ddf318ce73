"""Pruning deletes what is old and not needed, and nothing else."""

import os
from pathlib import Path

import pytest
from sqlalchemy import func, select, text, update

from arena.db.models import Version
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.bots import pages as bot_pages
from arena.services.bots import sources
from arena.services.bots.sources import DAY
from arena.services.integrity import fsck
from arena.services.upkeep import leftovers
from arena.services.upkeep.leftovers import Leftovers
from arena.services.work import sweep
from tests import factories

BROKEN = b"def act(view):\n    return None\n"


@pytest.fixture
def versions(arena: Arena, author: Account) -> list[int]:
    """Create versions in each state, 100 days old except the last; return their IDs."""
    made = [factories.bot(arena, author, f"bot-{number}", BROKEN) for number in range(5)]
    states = ("invalid", "valid", "pending", "infra_failed", "invalid")
    with arena.transaction() as session:
        for version_id, state in zip(made, states, strict=True):
            session.execute(update(Version).where(Version.id == version_id).values(state=state))
        old = update(Version).where(Version.id != made[-1])
        session.execute(old.values(created=Version.created - 100 * DAY))
    return made


def sizes(arena: Arena) -> list[int]:
    """Return the sizes of the stored sources, by ID."""
    with arena.reading() as session:
        return list(session.scalars(select(func.length(Version.source)).order_by(Version.id)))


def test_only_old_rejected_sources_are_deleted(arena: Arena, author: Account, versions: list[int]) -> None:
    """Hash, size and report stay, fsck accepts it, and the owner reads why there is no file."""
    found = leftovers.find(arena, 90)
    assert found[0] == Leftovers("sources of rejected versions", 1, len(BROKEN))
    assert sizes(arena) == [len(BROKEN)] * 5

    assert leftovers.prune(arena, 90) == found
    assert leftovers.prune(arena, 90)[0] == Leftovers("sources of rejected versions", 0, 0)

    assert sizes(arena) == [0] + [len(BROKEN)] * 4
    assert [line for line in fsck.check(arena) if "source" in str(line)] == []
    with pytest.raises(Refused, match=r"Version 1 of bot-0 was rejected, and its source was deleted\."):
        bots.source_of(arena, author, versions[0])
    [row] = bot_pages.bot_page(arena, 1, author).versions
    assert (row.pruned, row.size) == (True, len(BROKEN))
    assert not bot_pages.bot_page(arena, 5, author).versions[0].pruned


def test_sweep_deletes_sources_a_week_after_they_were_rejected(arena: Arena, versions: list[int]) -> None:
    """Reports and hashes stay; younger sources and those of other versions, too."""
    with arena.transaction() as session:
        young = update(Version).where(Version.id == versions[-1])
        session.execute(young.values(created=Version.created - 6.9 * DAY))

    sweep.tick(arena)

    assert sizes(arena) == [0] + [len(BROKEN)] * 4
    with arena.transaction() as session:
        session.execute(update(Version).values(created=Version.created - 0.2 * DAY))
    sweep.tick(arena)
    assert sizes(arena) == [0, *[len(BROKEN)] * 3, 0]


def test_sweep_deletes_sources_in_batches(arena: Arena, versions: list[int]) -> None:
    """Each sweep deletes a few, the oldest first, so that it holds up nothing else."""
    with arena.transaction() as session:
        session.execute(update(Version).values(state="invalid", created=versions[-1] - Version.id))

    assert sources.delete_rejected(arena, 7, 2) == 2
    assert sizes(arena) == [len(BROKEN)] * 3 + [0, 0]
    assert sources.delete_rejected(arena, 7, 2) == 2
    assert sources.delete_rejected(arena, 7) == 1
    assert sources.delete_rejected(arena, 7, 2) == 0


def test_sweep_finds_old_sources_by_an_index(arena: Arena, versions: list[int]) -> None:
    """Its cost does not grow with the number of versions whose sources were deleted long ago."""
    statement = sources.old(7).compile(arena.database.engine, compile_kwargs={"literal_binds": True})
    explain = "EXPLAIN QUERY PLAN" if arena.database.engine.name == "sqlite" else "EXPLAIN"
    with arena.reading() as session:
        if arena.database.engine.name == "postgresql":
            session.execute(text("SET enable_seqscan = off"))  # it is better for a few rows, and so is sorting them
            session.execute(text("SET enable_sort = off"))
        plan = str(session.execute(text(f"{explain} {statement}")).all())

    assert "ix_versions_disposable" in plan


def test_lost_source_of_a_valid_version_is_damage(arena: Arena, versions: list[int]) -> None:
    """Only a rejected version may have no source."""
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.id == versions[1]).values(source=b""))

    assert any("version 2: its source does not match" in str(line) for line in fsck.check(arena))


def test_old_logs_are_deleted_and_large_ones_started_anew(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has a log open goes on writing at its beginning."""
    monkeypatch.setattr(leftovers, "LOG_LIMIT", 10)
    logs = arena.settings.logs
    logs.mkdir()
    for name, line in {"web.log": "short", "beat.log.1": "old", "web.log.1": "new"}.items():
        (logs / name).write_text(line)
    os.utime(logs / "beat.log.1", (0, 0))
    with (logs / "workers.log").open("a") as writer:
        writer.write("a long line\n")
        writer.flush()
        found = leftovers.prune(arena, 90)
        writer.write("next\n")

    assert found[1:3] == [Leftovers("logs of earlier runs", 1, 3), Leftovers("large logs, started anew", 1, 12)]
    assert contents(logs) == {
        "web.log": "short", "web.log.1": "new", "workers.log": "next\n", "workers.log.1": "a long line\n",
    }  # fmt: skip


def contents(folder: Path) -> dict[str, str]:
    """Return the texts of the files in a folder, by name."""
    return {path.name: path.read_text() for path in folder.iterdir()}
