"""Worker processes: cores, pauses, sweeps, and failures of the machinery."""

import errno
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, Self

import pytest
from structlog.testing import capture_logs

from arena.db.models import Table, Version
from arena.games.errors import ArenaFault
from arena.sandbox import Cage, Limits
from arena.services.base.access import Account
from arena.services.base.context import ANALYSE, ANNOUNCE, COMPARE, PLAY, VALIDATE, Arena, Doorbell
from arena.services.bots import actions as bots
from arena.services.health import heartbeats
from arena.services.health.heartbeats import Sign
from arena.services.queue.keeper import Keeper
from arena.services.work import analyses, canary, play, sweep
from arena.services.work.outcomes import MAX_PAUSE, Pauses
from arena.services.work.sweep import SWEEP_EVERY
from arena.services.work.urgent import LOOK_EVERY
from tests import factories
from tests.cages import LocalCage, fail_to_start, refusing_cage
from tests.workers.test_poller import StillCage
from workers import comparison, process, tasks
from workers.config import SWEEP, TASKS
from workers.process import WorkerProcess, pin


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[WorkerProcess]:
    """Worker processes that would have rested, in order; they do not really rest."""
    rested: list[WorkerProcess] = []
    monkeypatch.setattr(WorkerProcess, "rest", lambda self: rested.append(self))
    return rested


def test_processes_are_spread_over_cores() -> None:
    """Each process is pinned to the core of its index, modulo the number of cores."""
    before = os.sched_getaffinity(0)
    try:
        for index in range(2 * len(before)):
            os.sched_setaffinity(0, before)
            core = pin(index)
            assert os.sched_getaffinity(0) == {core}
            assert core == sorted(before)[index % len(before)]
    finally:
        os.sched_setaffinity(0, before)


def test_machine_without_cage_claims_nothing(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch, rests: list[WorkerProcess]
) -> None:
    """A machine that cannot hold bots claims nothing and pauses; the next sweep rings again for others."""

    def refuse(cage: Cage) -> Cage:
        raise ArenaFault("no seccomp here")

    monkeypatch.setattr(Cage, "open", refuse)
    monkeypatch.setattr(process, "_current", WorkerProcess(arena, Cage(), "tester"))
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    table = factories.table_ids(arena, cup)[0]
    version = bots.upload(arena, admin, "candidate", factories.CHANCE).version_id

    tasks.play_table(table)
    tasks.validate(version)

    with arena.reading() as session:
        for waiting in (session.get_one(Table, table), session.get_one(Version, version)):
            assert (waiting.attempts, waiting.rung_at) == (0, None)
    assert len(rests) == 2


@pytest.mark.parametrize("delivers", [True, False])
def test_worker_pauses_after_sweep_if_it_cannot_ring(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, rests: list[WorkerProcess], delivers: bool
) -> None:
    """A worker that is cut off from the broker leaves the next ticks to workers that can ring."""
    here = WorkerProcess(arena, Cage(), "tester", lambda: delivers)
    here.pulse.hold({}, {})
    monkeypatch.setattr(process, "_current", here)

    tasks.tick()

    assert rests == ([] if delivers else [here])


def test_failed_cage_is_probed_again_before_next_bot(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch, rests: list[WorkerProcess]
) -> None:
    """A new probe runs after each failure; if only bots fail, the process rests and uses up no attempts."""
    table = factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))[0]
    version = bots.upload(arena, admin, "candidate", factories.CHANCE).version_id
    with refusing_cage() as cage:
        monkeypatch.setattr(process, "_current", WorkerProcess(arena, cage, "tester"))
        zygotes = {cage.zygote.pid}
        tasks.play_table(table)
        zygotes.add(cage.zygote.pid)
        tasks.validate(version)
        zygotes.add(cage.zygote.pid)
        for _ in range(3):
            tasks.play_table(table)
            tasks.validate(version)

    assert len(zygotes) == 3
    assert len(rests) == 2
    with arena.reading() as session:
        assert session.get_one(Table, table).attempts == 1
        assert session.get_one(Version, version).attempts == 1


class Exhausted:
    """A cage on a machine that has run out of descriptors."""

    level = "both"

    def __init__(self, at_opening: bool) -> None:
        self.at_opening, self.closed = at_opening, 0

    def aside(self) -> Self:
        """Return this cage, which is as exhausted for a second table."""
        return self

    def open(self) -> None:
        """Fail if the cage notices the shortage on opening."""
        if self.at_opening:
            self.player(b"")

    def player(self, source: bytes) -> None:
        """Fail to seat a bot."""
        raise OSError(errno.EMFILE, "Too many open files")

    inspect = player

    def close(self) -> None:
        """Count the call."""
        self.closed += 1


@pytest.mark.parametrize("at_opening", [True, False])
def test_any_error_rests_worker_and_closes_cage(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch, rests: list[WorkerProcess], at_opening: bool
) -> None:
    """Errors other than the arena's own are handled for tables and uploads, and no task ends in an exception."""
    cage: Any = Exhausted(at_opening)
    monkeypatch.setattr(process, "_current", WorkerProcess(arena, cage, "tester"))
    table = factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))[0]
    version = bots.upload(arena, admin, "candidate", factories.CHANCE).version_id

    with capture_logs() as logs:
        tasks.play_table(table)
        tasks.validate(version)

    assert (len(rests), cage.closed) == (2, 2)
    assert len([line for line in logs if "exc_info" in line]) == 2
    with arena.reading() as session:
        assert session.get_one(Table, table).attempts == session.get_one(Version, version).attempts == (not at_opening)


def test_worker_that_failed_takes_nothing_before_canary_succeeds(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that keeps failing uses up one attempt in all, says so in the database, and recovers by itself."""
    monkeypatch.setattr(WorkerProcess, "_sleep", lambda *_: None)
    table = factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))[0]
    cage = StillCage(fail_to_start)
    here = WorkerProcess(arena, cage, "tester")  # type: ignore[arg-type]
    states: list[tuple[str, str]] = []
    monkeypatch.setattr(here.pulse, "enter", lambda state, detail="": states.append((state, detail)))
    for _ in range(8):
        factories.due_now(arena)
        here.answer(Doorbell(PLAY, table))

    with arena.reading() as session:
        waiting = session.get_one(Table, table)
        assert (waiting.attempts, waiting.rung_at) == (1, None)
    paused = [detail for state, detail in states if state == "paused"]
    out = [detail for state, detail in states if state == "out"]
    assert (len(paused), len(out)) == (6, 2)
    assert out[-1] == "for 300 s; failures in a row: 8; the last one: the zygote did not answer"

    cage.before = lambda: None
    here.answer(Doorbell(PLAY, table))
    with arena.reading() as session:
        assert session.get_one(Table, table).state == "done"
    assert here.pauses.failures == 0


def test_doorbells_of_taken_tables_do_not_repeat_the_canary(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, rests: list[WorkerProcess]
) -> None:
    """After a failure one match proves the machine, although the next doorbells bring no work."""
    here = WorkerProcess(arena, StillCage(lambda: None), "tester")  # type: ignore[arg-type]
    played: list[object] = []
    monkeypatch.setattr(canary, "check", played.append)
    here.pauses.fail()

    for _ in range(3):
        here.answer(Doorbell(PLAY, 12))

    assert (len(played), here.pauses.failures, rests) == (1, 1, [])


def test_unreachable_database_rests_worker(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, rests: list[WorkerProcess]
) -> None:
    """Nothing is claimed, and the task does not end in an exception."""
    monkeypatch.setattr(process, "_current", WorkerProcess(arena, Cage("none"), "tester"))

    def away(*_: object) -> str:
        raise OSError("the database is away")

    monkeypatch.setattr(play, "play_tables", away)
    tasks.play_table(1)

    assert len(rests) == 1


def test_pauses_double_until_success() -> None:
    """Each failure in a row doubles the pause up to the longest; a success resets it."""
    pauses = Pauses()
    grown = [pauses.fail() for _ in range(100)]

    assert grown[:4] == [5, 10, 20, 40]
    assert grown == sorted(grown)
    assert grown[-1] == MAX_PAUSE
    pauses.succeed()
    assert pauses.fail() == 5


def test_failing_worker_logs_and_keeps_sweeping(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes of a machine may be resting, and leases and schedules must not wait for them."""
    now, slept, swept = [0.0], [0.0], [0]

    def sleep(seconds: float) -> None:
        now[0] += seconds
        slept[0] += seconds

    def sweep_overdue(_: WorkerProcess) -> None:
        swept[0] += 1

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(WorkerProcess, "sweep_overdue", sweep_overdue)
    here = WorkerProcess(arena, Cage(), "tester")
    with capture_logs() as logs:
        for _ in range(7):
            here.rest()

    assert slept[0] == 5 + 10 + 20 + 40 + 80 + 160 + 300
    assert swept[0] > slept[0] / SWEEP_EVERY
    assert [line["event"] for line in logs[-2:]] == [
        "this worker pauses",
        "this worker keeps failing; it takes no work for now",
    ]


def test_insecure_run_is_logged(tmp_path: Path) -> None:
    """A worker of an insecure run logs a warning when it starts."""
    cores = os.sched_getaffinity(0)
    for minimum, logged in (("none", 1), ("one", 0)):
        with capture_logs() as logs:
            process.begin(factories.settings_in(tmp_path, ARENA_SANDBOX_MINIMUM=minimum))
        process.end()
        os.sched_setaffinity(0, cores)

        assert len([log for log in logs if "insecure run" in log["event"]]) == logged


def test_cage_uses_configured_limits(tmp_path: Path) -> None:
    """The worker's cage has the limits of the settings."""
    cores = os.sched_getaffinity(0)
    wanted = {"ARENA_BOT_MEMORY": "64", "ARENA_STOP_BRACKET": "yes"}
    process.begin(factories.settings_in(tmp_path, **wanted))
    limits = process.current().cage.limits
    process.end()
    os.sched_setaffinity(0, cores)

    assert limits == Limits(memory=64 << 20, bracket=True)


def test_idle_worker_closes_its_cage(arena: Arena) -> None:
    """The cage is closed after a while without work, not while a thread uses it, and opens again for the next work."""
    cage = Cage("none")
    worker = WorkerProcess(arena, cage, "tester")
    try:
        first = cage.open().zygote.pid
        worker.close_idle_cage(60)
        with worker.idle():
            worker.close_idle_cage(0)
        assert cage.open().zygote.pid == first

        worker.close_idle_cage(0)
        assert cage.open().zygote.pid != first
    finally:
        cage.close()


@pytest.mark.parametrize(("worked", "others", "renewed"), [(True, True, 1), (True, False, 0), (False, True, 0)])
def test_idle_worker_makes_way_for_a_fresh_process(arena: Arena, worked: bool, others: bool, renewed: int) -> None:
    """An idle process ends after its work if another one holds bots as well, and otherwise stays."""
    ends: list[str] = []
    worker = WorkerProcess(arena, StillCage(), "tester", renew=lambda: ends.append("tester"))  # type: ignore[arg-type]
    worker.pulse.beat()
    if others:
        heartbeats.report(arena, Sign("other", "worker", "idle", held=1.0))
    if worked:
        worker.do(Doorbell(PLAY, 0), arena)

    worker.close_idle_cage(0)

    assert len(ends) == renewed


def test_analysis_needs_no_cage(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that cannot hold bots analyses matches all the same; urgent work goes on meanwhile."""
    made: list[tuple[int, object]] = []
    worker = WorkerProcess(arena, StillCage(), "tester")  # type: ignore[arg-type]
    monkeypatch.setattr(worker.cage, "open", lambda: pytest.fail("the cage was opened"))
    monkeypatch.setattr(analyses, "analyse", lambda _, number, between: made.append((number, between)))
    worker.answer(Doorbell(ANALYSE, 7))

    assert made == [(7, worker._meanwhile)]


def test_every_doorbell_has_a_task() -> None:
    """Every kind of doorbell has a task, and every task exists."""
    assert set(TASKS) == {PLAY, VALIDATE, ANALYSE, ANNOUNCE, COMPARE, SWEEP}
    assert {name.rpartition(".")[2] for name in TASKS.values()} <= set(vars(tasks))


def test_piled_up_ticks_cause_one_sweep(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process sweeps once for ticks that arrive together."""
    sweeps: list[Arena] = []
    here = WorkerProcess(arena, Cage(), "tester")
    monkeypatch.setattr(process, "_current", here)
    monkeypatch.setattr(here, "prove", lambda: None)
    monkeypatch.setattr(sweep, "tick", sweeps.append)
    for _ in range(10):
        tasks.tick()
    assert here.swept_at is not None
    here.swept_at -= SWEEP_EVERY
    tasks.tick()

    assert sweeps == [arena, arena]


def test_worker_sweeps_between_moves_of_long_table(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process sweeps during a long table when a sweep is overdue, and an error there is only logged."""
    sweeps: list[Arena] = []

    def failing(arena: Arena) -> None:
        sweeps.append(arena)
        raise OSError("the database is away")

    here = WorkerProcess(arena, Cage(), "tester")
    here.swept_at = time.monotonic()
    monkeypatch.setattr(sweep, "tick", failing)
    with Keeper(lambda: None, 60) as keeper:
        here.between_moves(keeper)
        assert not sweeps
        here.swept_at -= process.OVERDUE
        with capture_logs() as logs:
            here.between_moves(keeper)
            here.between_moves(keeper)

    assert len(sweeps) == 1
    assert [line["event"] for line in logs] == ["sweep failed"]


@pytest.mark.parametrize(("code", "said"), [("pass", 0), ("raise SystemExit('no such database')", 1)])
def test_comparison_runs_in_a_process_of_its_own(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, code: str, said: int
) -> None:
    """A doorbell starts it; a failure is logged, and the worker goes on."""
    monkeypatch.setattr(comparison, "COMMAND", (sys.executable, "-c", code))
    monkeypatch.setattr(process, "_current", WorkerProcess(arena, Cage(), "tester"))

    with capture_logs() as logs:
        tasks.compare(0)

    assert [(log["reason"], log["code"]) for log in logs] == [("no such database", 1)] * said


def test_upload_is_validated_during_a_comparison(
    arena: Arena, author: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker that compares all bots looks for urgent work every second."""
    monkeypatch.setattr(comparison, "COMMAND", (sys.executable, "-c", f"import time; time.sleep({2 * LOOK_EVERY})"))
    here = WorkerProcess(arena, Cage(), "tester")
    here.swept_at = time.monotonic()
    here._lookout._cage = LocalCage()
    uploaded = bots.upload(arena, author, "quick", factories.FIRST).version_id

    here.compare()

    with arena.reading() as session:
        assert session.get_one(Version, uploaded).state == "valid"


def test_worker_sweeps_during_a_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison that takes too long is stopped."""
    monkeypatch.setattr(comparison, "COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
    swept: list[int] = []

    with capture_logs() as logs:
        comparison.run(lambda: swept.append(1), limit=0.1)

    assert swept
    assert logs[0]["code"] == -signal.SIGKILL
