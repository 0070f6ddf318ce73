"""A worker process sits on one core."""

import os

from arena.services.context import PLAY, VALIDATE
from workers import tasks
from workers.config import TASKS
from workers.process import pin


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


def test_every_doorbell_has_its_task() -> None:
    """What can be rung for can be done."""
    assert set(TASKS) == {PLAY, VALIDATE}
    assert {name.rpartition(".")[2] for name in TASKS.values()} <= set(vars(tasks))
