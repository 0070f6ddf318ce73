"""Processes killed during a tournament cost time, and nothing else. All tests continue the same tournament."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.processes import alive
from tests.faults import course
from tests.faults.machinery import PLAYING, SLOW, Machinery, at_work, database, zygotes
from tests.workers.services import Services, wait_for

pytestmark = pytest.mark.service


def start(services: Services) -> None:
    """Start two workers of two processes, and a beat."""
    services.worker(PLAYING // 2, SLOW)
    services.worker(PLAYING // 2, SLOW)
    services.beat()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def machinery(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machinery]:
    """Start a tournament of 24 bots and 276 tables, on a database of either kind."""
    home: Path = tmp_path_factory.mktemp(request.param)
    server = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    with database("killed", home, server) as url, at_work(home, url, server, start) as running:
        yield running


def test_killed_worker_process(machinery: Machinery) -> None:
    """Another process plays its table, and no zygote or bot of it is left."""
    machinery.note_processes()
    pid, _ = machinery.playing_process()
    orphans = zygotes(pid)

    os.kill(pid, signal.SIGKILL)

    wait_for(lambda: not any(alive(zygote) for zygote in orphans))
    machinery.check_recovery()


def test_killed_zygote(machinery: Machinery) -> None:
    """Its bots have no fault, and the worker process gets another zygote."""
    machinery.note_processes()
    os.kill(zygotes(machinery.playing_process()[0])[0], signal.SIGKILL)

    machinery.check_recovery()


def test_killed_worker_with_children(machinery: Machinery) -> None:
    """The worker leaves no process behind, and a new worker continues."""
    machinery.kill(machinery.services.processes[0])
    machinery.services.worker(PLAYING // 2, SLOW)

    machinery.check_recovery()


def test_killed_beat(machinery: Machinery) -> None:
    """The next beat finds the work that was lost meanwhile."""
    machinery.kill(machinery.services.processes[2])
    os.kill(machinery.playing_process()[0], signal.SIGKILL)
    machinery.services.beat()

    machinery.check_recovery()


def test_killed_broker(machinery: Machinery) -> None:
    """All doorbells are lost with the broker, and are rung again."""
    machinery.kill(machinery.services.broker.process)
    machinery.services.broker.start()

    machinery.check_recovery()


def test_everything_killed_together(machinery: Machinery) -> None:
    """After workers, beat, broker and the database server are killed, unfinished tables are played again."""
    living = [process for process in machinery.services.processes if process.poll() is None]
    machinery.crash_database()
    machinery.kill(*living, machinery.services.broker.process)
    machinery.start_database()
    machinery.services.broker.start()
    start(machinery.services)

    machinery.check_recovery()


def test_outcome_equals_undisturbed_league(machinery: Machinery, league: course.Outcome) -> None:
    """Records, results, ratings and standings are byte for byte those of an undisturbed tournament."""
    machinery.check_outcome(league)


def test_nothing_is_left(machinery: Machinery) -> None:
    """No process, control group or file is left at the end."""
    machinery.check_nothing_is_left()
