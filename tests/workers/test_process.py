"""A worker process sits on one core."""

import os

import pytest

from arena.db.models import Table, Version
from arena.games.errors import ArenaFault
from arena.sandbox import Cage
from arena.services import bots
from arena.services.context import PLAY, VALIDATE, Arena
from arena.services.shapes import Account
from tests import factories
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
    """It claims nothing, so that no table or version runs out of attempts there."""

    def refuse(cage: Cage) -> Cage:
        raise ArenaFault("no seccomp here")

    monkeypatch.setattr(Cage, "open", refuse)
    monkeypatch.setattr(process, "_all", [Held(arena, Cage(), "tester")])
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    table = factories.table_ids(arena, cup)[0]
    version = bots.upload(arena, admin, "candidate", factories.CHANCE).version_id

    tasks.play_table(table)
    tasks.validate(version)

    with arena.reading() as session:
        assert session.get_one(Table, table).attempts == 0
        assert session.get_one(Version, version).attempts == 0


def test_every_doorbell_has_its_task() -> None:
    """What can be rung for can be done."""
    assert set(TASKS) == {PLAY, VALIDATE}
    assert {name.rpartition(".")[2] for name in TASKS.values()} <= set(vars(tasks))
