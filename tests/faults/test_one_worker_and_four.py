"""Results do not depend on the number of workers or on failures among them."""

import os
import random
import signal
from pathlib import Path

import pytest

from tests.faults import course
from tests.faults.machinery import PLAYING, SLOW, at_work
from tests.workers.services import Services, wait_for

pytestmark = pytest.mark.service

KILLS = 6
BOTS = 28


def one(services: Services) -> None:
    """Start a worker of one process, and a beat."""
    services.worker()
    services.beat()


def four(services: Services) -> None:
    """Start a worker of four processes, and a beat."""
    services.worker(PLAYING, SLOW)
    services.beat()


def test_one_worker_and_four_killed_at_random_agree(tmp_path: Path) -> None:
    """A Swiss tournament and a balanced round robin have identical records, standings and ratings."""
    alone, together = tmp_path / "alone", tmp_path / "together"
    alone.mkdir()
    together.mkdir()
    plans = (course.FOURS, course.ROUNDS)

    with at_work(together, f"sqlite:///{together / 'arena.db'}", None, four, *plans, bots=BOTS) as machinery:
        for _ in range(KILLS):
            os.kill(machinery.playing_process()[0], signal.SIGKILL)
            mark = machinery.done() + random.randint(1, 10)
            wait_for(lambda mark=mark: machinery.done() >= mark)  # type: ignore[misc]
        machinery.finish()
        killed = course.outcome(machinery.arena)
    with at_work(alone, f"sqlite:///{alone / 'arena.db'}", None, one, *plans, bots=BOTS) as machinery:
        machinery.finish()
        undisturbed = course.outcome(machinery.arena)

    assert killed == undisturbed
    assert len(killed.standings) == 2
