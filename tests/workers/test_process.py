"""A worker process sits on one core."""

import os
import time
from collections import deque
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from arena.db.models import Table, Version
from arena.games.errors import ArenaFault
from arena.sandbox import Cage, Limits
from arena.services import bots, sweep
from arena.services.context import ANNOUNCE, PLAY, VALIDATE, Arena
from arena.services.lease import Keeper
from arena.services.shapes import Account
from arena.services.sweep import SWEEP_EVERY
from tests import factories
from tests.cages import refusing
from workers import process, tasks
from workers.config import TASKS
from workers.process import Held, pin


def test_processes_are_spread_over_the_cores() -> None:
    """By their index in the pool, around and around."""
    before = os.sched_getaffinity(0)
    try:
        for index in range(2 * len(before)):
            os.sched_setaffinity(0, before)
            core = pin(index)
            assert os.sched_getaffinity(0) == {core}
            assert core == sorted(before)[index % len(before)]
    finally:
        os.sched_setaffinity(0, before)


def test_a_machine_that_cannot_hold_bots_leaves_the_work_to_others(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It claims nothing, so that no table or version runs out of attempts there, and is slow to answer doorbells."""

    def refuse(cage: Cage) -> Cage:
        raise ArenaFault("no seccomp here")

    rests: list[int] = []
    monkeypatch.setattr(Cage, "open", refuse)
    monkeypatch.setattr(process, "_all", [Held(arena, Cage(), "tester")])
    monkeypatch.setattr(process, "rest", lambda: rests.append(1))
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    table = factories.table_ids(arena, cup)[0]
    version = bots.upload(arena, admin, "candidate", factories.CHANCE).version_id

    tasks.play_table(table)
    tasks.validate(version)

    with arena.reading() as session:
        assert session.get_one(Table, table).attempts == 0
        assert session.get_one(Version, version).attempts == 0
    assert len(rests) == 2


def test_a_cage_that_failed_is_tried_anew_before_the_next_bot(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A layer that does not hold any more is found by a new probe. Where a probe finds nothing, yet every bot fails,

    attempts are not used up in a moment: the process rests, and what failed waits before it is tried again.
    """
    rests: list[int] = []
    monkeypatch.setattr(process, "rest", lambda: rests.append(1))
    table = factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))[0]
    version = bots.upload(arena, admin, "candidate", factories.CHANCE).version_id
    with refusing() as cage:
        monkeypatch.setattr(process, "_all", [Held(arena, cage, "tester")])
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


def test_a_worker_of_an_insecure_run_says_so(tmp_path: Path) -> None:
    """In its log, as soon as it begins."""
    cores = os.sched_getaffinity(0)
    for minimum, logged in (("none", 1), ("one", 0)):
        with capture_logs() as logs:
            process.begin(factories.settings_in(tmp_path, ARENA_SANDBOX_MINIMUM=minimum))
        process.end()
        os.sched_setaffinity(0, cores)

        assert len([log for log in logs if "insecure run" in log["event"]]) == logged


def test_a_worker_keeps_the_operators_limits(tmp_path: Path) -> None:
    """Its cage holds bots to them, in matches and in validation alike."""
    cores = os.sched_getaffinity(0)
    wanted = {"ARENA_BOT_MEMORY": "64", "ARENA_STOP_BRACKET": "yes", "ARENA_DELIVERY_GRID": "2.5"}
    process.begin(factories.settings_in(tmp_path, **wanted))
    limits = process.held().cage.limits
    process.end()
    os.sched_setaffinity(0, cores)

    assert limits == Limits(memory=64 << 20, bracket=True, grid=0.0025)


def test_every_doorbell_has_its_task() -> None:
    """What can be rung for can be done."""
    assert set(TASKS) == {PLAY, VALIDATE, ANNOUNCE}
    assert {name.rpartition(".")[2] for name in TASKS.values()} <= set(vars(tasks))


def test_ticks_that_piled_up_are_one(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody took any for long, a process sweeps once for all of them."""
    sweeps: list[Arena] = []
    monkeypatch.setattr(process, "_all", [Held(arena, Cage(), "tester")])
    monkeypatch.setattr(process, "_swept", deque(maxlen=1))
    monkeypatch.setattr(sweep, "tick", sweeps.append)
    for _ in range(10):
        tasks.tick()
    process._swept[-1] -= SWEEP_EVERY
    tasks.tick()

    assert sweeps == [arena, arena]


def test_a_worker_at_a_long_table_sweeps(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """All workers may be at tables for minutes: then nobody hears the ticks, and a start or a schedule would wait."""
    sweeps: list[Arena] = []

    def failing(arena: Arena) -> None:
        sweeps.append(arena)
        raise OSError("the database is away")

    monkeypatch.setattr(process, "_swept", deque([time.monotonic()], maxlen=1))
    monkeypatch.setattr(sweep, "tick", failing)
    process.begin(arena.settings)
    try:
        with Keeper(lambda: None, 60) as keeper:
            process.held().meanwhile(keeper)
            assert not sweeps
            process._swept[-1] -= process.OVERDUE
            with capture_logs() as logs:
                process.held().meanwhile(keeper)
                process.held().meanwhile(keeper)
    finally:
        process.end()

    assert len(sweeps) == 1
    assert [line["event"] for line in logs] == ["sweep failed"]
