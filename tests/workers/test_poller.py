"""Work that a silent worker process finds in the database by itself."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.db.models import Table
from arena.sandbox import Cage
from arena.services.base.access import Account
from arena.services.base.context import Arena, Doorbell, open_arena
from arena.services.bots import actions as bots
from arena.services.bots import house
from arena.services.bots import pages as bot_pages
from arena.services.integrity import fsck
from arena.services.work import sweep
from tests import factories
from tests.cages import LocalCage
from workers.poller import Poller
from workers.process import WorkerProcess


class StillCage(LocalCage):
    """A local cage that can be opened and closed."""

    def aside(self) -> "StillCage":
        """Return this cage, whose players do not collide."""
        return self

    def open(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@pytest.fixture
def arena(database_url: str, tmp_path: Path) -> Iterator[Arena]:
    """Open an arena whose broker is away."""
    settings = factories.settings_in(tmp_path, ARENA_DATABASE_URL=database_url)
    opened = open_arena(settings, factories.Bell(delivers=False))
    yield opened
    opened.close()


@pytest.fixture
def worker(arena: Arena) -> WorkerProcess:
    """Return a worker process that hears nothing."""
    return WorkerProcess(arena, StillCage(), "tester")  # type: ignore[arg-type]


def states(arena: Arena, cup: int) -> set[str]:
    """Return the states of the tournament's tables."""
    with arena.reading() as session:
        return {session.get_one(Table, table).state for table in factories.table_ids(arena, cup)}


def test_silent_process_plays_whole_tournament(arena: Arena, admin: Account, worker: WorkerProcess) -> None:
    """All tables are played by one poll, including those announced later."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), "suitability-2")

    Poller(worker, silence=0).poll()

    assert states(arena, cup) == {"done"}
    assert fsck.check(arena) == []


def test_silent_process_validates_and_places_upload(arena: Arena, author: Account, worker: WorkerProcess) -> None:
    """An upload is valid and rated after one poll."""
    house.ensure_house(arena, ["suitability"])
    ref = bots.upload(arena, author, "candidate", factories.CHANCE)

    Poller(worker, silence=0).poll()

    status = bot_pages.version_status(arena, ref.version_id, author)
    assert status.state == "valid"
    assert status.rating is not None


def test_process_that_hears_doorbells_does_not_poll(
    arena: Arena, worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is left alone until the process has been silent for long enough, and while it works."""
    sweeps: list[Arena] = []
    monkeypatch.setattr(sweep, "tick", sweeps.append)

    Poller(worker, silence=60).poll()
    with worker.idle():
        Poller(worker, silence=0).poll()

    assert sweeps == []


def test_doorbell_ends_poll(
    arena: Arena, admin: Account, worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables that the poll has not played can be rung for at once."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 6))
    silence = iter([60.0, 60.0, 60.0])
    monkeypatch.setattr(WorkerProcess, "silence", lambda _: next(silence, 0.0))
    played: list[Doorbell] = []
    monkeypatch.setattr(WorkerProcess, "do", lambda _, bell, __: played.append(bell))

    Poller(worker, silence=1).poll()

    assert len(played) == 2
    with arena.reading() as session:
        rung = [session.get_one(Table, table).rung_at for table in factories.table_ids(arena, cup)]
    assert len(played) == sum(at is not None for at in rung)


def test_failed_sweep_ends_poll(arena: Arena, worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unreachable database is tried again by the next poll."""

    def fail(_: Arena) -> None:
        raise OSError("the database is away")

    monkeypatch.setattr(sweep, "tick", fail)

    Poller(worker, silence=0).poll()


def test_poller_stops_before_worker_closes(arena: Arena) -> None:
    """Closing a worker process ends its poller first."""
    worker = WorkerProcess(arena, Cage("none"), "tester")
    poller = Poller(worker, silence=60)
    poller.start()

    worker.close()

    assert "poller" not in [thread.name for thread in threading.enumerate()]
