"""Faults on PostgreSQL: a crashed server and a wrong clock cost a tournament time, and nothing else.

All tests continue the same tournament. Every doorbell rings four times, and there are two beats.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.faults import AHEAD, course, harm
from tests.faults.machinery import BACK, ENOUGH, PLAYING, Machinery, at_work, database
from tests.workers.services import Services, wait_for

pytestmark = pytest.mark.service


def start(services: Services) -> None:
    """Start two loud workers, one with a clock that is ahead, and two beats."""
    services.worker(PLAYING // 2, "tests.faults.loud")
    services.worker(PLAYING // 2, "tests.faults.ahead", faked())
    services.beat()
    services.beat()


def faked() -> Mapping[str, str]:
    """Return the environment of a process whose clock is ahead."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        pytest.skip("needs libfaketime (apt-get install faketime)")
    return {"LD_PRELOAD": str(library), "FAKETIME": f"+{AHEAD}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


@pytest.fixture(scope="module")
def machinery(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machinery]:
    """Start a tournament of 24 bots and 276 tables."""
    home = tmp_path_factory.mktemp("home")
    with database("disturbed", home, postgres) as url, at_work(home, url, postgres, start) as running:
        yield running
        for left in Path("/dev/shm").glob("*faketime_*"):  # noqa: S108 -- libfaketime's own
            if int(left.name.rpartition("_")[2]) in {one.pid for one in running.seen}:
                left.unlink()


def test_server_crash(machinery: Machinery) -> None:
    """Everything committed before the crash is there afterwards, and nothing else."""
    machinery.crash_database()
    time.sleep(2)
    machinery.start_database()

    machinery.check_recovery()


def test_emptied_broker(machinery: Machinery) -> None:
    """The database causes the doorbells to ring again."""
    harm.empty_broker(machinery)

    machinery.check_recovery()


def test_worker_stopped_past_its_lease(machinery: Machinery) -> None:
    """Another worker plays its table, and the late result is refused."""
    table = harm.stop_past_lease(machinery)

    machinery.check_recovery()
    assert harm.outcomes(machinery, table)[0] == "expired"
    assert harm.outcomes(machinery, table).count("done") == 1


def test_clock_that_is_ahead(machinery: Machinery) -> None:
    """A worker with a wrong clock plays like others, and finds lost work when it is the only one."""
    right, fast = machinery.services.processes[:2]
    shown = subprocess.check_output([sys.executable, "-c", "import time; print(time.time())"], env=os.environ | faked())
    assert float(shown) > time.time() + AHEAD - BACK

    machinery.kill(right)
    harm.empty_broker(machinery)
    before = machinery.done()
    wait_for(lambda: machinery.done() >= before + ENOUGH, BACK)
    assert fast.poll() is None
    machinery.services.worker(PLAYING // 2, "tests.faults.loud")

    machinery.check_recovery()


def test_every_doorbell_rings_four_times(machinery: Machinery) -> None:
    """The broker gets every doorbell for tables in four copies."""
    assert harm.copies(machinery) >= 4


def test_outcome_equals_undisturbed_league(machinery: Machinery, league: course.Outcome) -> None:
    """Records, results, ratings and standings are byte for byte those of an undisturbed tournament."""
    machinery.check_outcome(league)


def test_nothing_is_left(machinery: Machinery) -> None:
    """No process, control group or file is left at the end."""
    machinery.check_nothing_is_left()
