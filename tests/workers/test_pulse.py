"""The pulse: what a worker process reports about itself."""

import threading
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from arena.db.models import Process
from arena.games.errors import ArenaFault
from arena.services.base.access import Account
from arena.services.base.context import PLAY, Arena, Doorbell
from arena.services.base.states import ProcessState
from arena.services.health import heartbeats
from arena.services.work import canary, play
from arena.services.work.outcomes import Outcome
from tests import factories
from tests.cages import LocalCage, fail_to_start
from tests.workers.services import wait_for
from workers import process, tasks
from workers.guard import Guard
from workers.process import WorkerProcess
from workers.pulse import Pulse


class OpenCage(LocalCage):
    """A stand-in for the cage of a worker process."""

    def open(self) -> None:
        """Do nothing: there is no zygote."""

    def close(self) -> None:
        """Do nothing: there is no zygote."""

    def aside(self) -> "OpenCage":
        """Return this cage."""
        return self


@pytest.fixture
def worker(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> WorkerProcess:
    """A worker process that does not really rest, and whose thread is not started."""
    monkeypatch.setattr(WorkerProcess, "rest", lambda self: self.pauses.fail())
    here = WorkerProcess(arena, OpenCage(), "tester")  # type: ignore[arg-type]
    monkeypatch.setattr(process, "_current", here)
    return here


def reported(arena: Arena) -> list[tuple[str, str, str]]:
    """Return name, state and detail of all processes."""
    with arena.reading() as session:
        found = session.execute(select(Process.name, Process.state, Process.detail))
        return [(name, state, detail) for name, state, detail in found]


def test_worker_names_its_work(arena: Arena, worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is busy with the work of its doorbell, and idle after it."""
    seen = []

    def work(*_: object) -> Outcome:
        seen.append(worker.pulse.sign())
        return Outcome.DONE

    monkeypatch.setattr(play, "play_tables", work)
    worker.do(Doorbell(PLAY, 12, more=(13, 14)), arena)

    assert [(sign.state, sign.detail, sign.held) for sign in seen] == [("busy", "table 12, 13, 14", None)]
    after = worker.pulse.sign()
    assert (after.state, after.detail) == ("idle", "")
    assert after.held is not None
    assert after.active is not None


def test_moves_of_a_long_table_are_signs_of_life(arena: Arena, admin: Account, worker: WorkerProcess) -> None:
    """A table of several minutes proves that the worker holds bots, before it ends."""
    (table, *_) = factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))

    play.play_tables(arena, [table], worker.cage, worker.name, worker.between_moves)

    assert worker.pulse.sign().held is not None


def test_tick_plays_the_canary_if_no_bot_has_run(arena: Arena, worker: WorkerProcess) -> None:
    """An idle worker proves that it can hold bots, and not at every tick."""
    tasks.tick()
    first = worker.pulse.held
    worker.swept_at = None
    tasks.tick()

    assert first is not None
    assert worker.pulse.held == first


def test_failing_canary_pauses_the_worker(arena: Arena, worker: WorkerProcess) -> None:
    """A machine that can hold no bots is noticed before a table comes."""
    worker.cage.before = fail_to_start  # type: ignore[attr-defined]

    tasks.tick()

    assert worker.pauses.failures == 1
    assert worker.pulse.held is None


def test_canary_fails_if_its_bot_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """House bots do not fail unless the machine makes them."""
    failing = tmp_path / "failing.py"
    failing.write_text("def act(view):\n    return 1 / 0\n")
    monkeypatch.setattr(canary, "HOUSE", {"random": failing})

    with pytest.raises(ArenaFault, match="a house bot failed"):
        canary.check(LocalCage())


def test_worker_without_room_for_results_says_so(arena: Arena, worker: WorkerProcess) -> None:
    """The process is paused with the reason, and is not reported again for each doorbell."""
    worker._room = Guard("no room for results", lambda: "the disk is full")

    worker.answer(Doorbell(PLAY, 12))
    first = worker.pulse.sign()
    worker.answer(Doorbell(PLAY, 13))

    assert (first.state, first.detail) == ("paused", "the disk is full")
    assert worker.pulse.sign().since > first.since


def test_thread_reports_a_pause_at_once_and_leaves_at_the_end(arena: Arena) -> None:
    """Other changes wait for the next heartbeat, because they may come many times a second."""
    pulse = Pulse(arena, "a:1")
    pulse.start()
    wait_for(lambda: reported(arena) == [("a:1", "idle", "")])

    pulse.enter(ProcessState.PAUSED, "no memory")
    wait_for(lambda: reported(arena) == [("a:1", "paused", "no memory")])

    pulse.stop()
    assert reported(arena) == []
    assert "pulse" not in [thread.name for thread in threading.enumerate()]


def test_unreachable_database_is_logged_once(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A heartbeat that cannot be stored harms nobody."""

    def fail(*_: object) -> None:
        raise OperationalError("UPDATE processes", None, OSError("no route to host"))

    monkeypatch.setattr(heartbeats, "report", fail)
    pulse = Pulse(arena, "a:1")

    with capture_logs() as logs:
        for _ in range(3):
            pulse.beat()

    assert [entry["event"] for entry in logs] == ["heartbeat not stored"]
