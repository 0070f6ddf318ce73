"""A server that crashes and a clock that is wrong cost a tournament on PostgreSQL time, and nothing else.

All tests go on with the same tournament. All the while every doorbell rings four times, and there are two clocks.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.faults import course, harm
from tests.faults.ahead import AHEAD
from tests.faults.machinery import BACK, ENOUGH, PLAYING, Machinery, at_work, database
from tests.workers.services import Services, wait_for

pytestmark = pytest.mark.service


def start(services: Services) -> None:
    """Two loud workers, of which one is ahead of its time, and two clocks."""
    services.worker(PLAYING // 2, "tests.faults.loud")
    services.worker(PLAYING // 2, "tests.faults.ahead", faked())
    services.beat()
    services.beat()


def faked() -> Mapping[str, str]:
    """The environment of a process whose clock is ahead."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        pytest.skip("needs libfaketime (apt-get install faketime)")
    return {"LD_PRELOAD": str(library), "FAKETIME": f"+{AHEAD}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


@pytest.fixture(scope="module")
def machinery(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machinery]:
    """A tournament of 40 bots and 520 tables that is being played."""
    home = tmp_path_factory.mktemp("home")
    with database("disturbed", home, postgres) as url, at_work(home, url, postgres, start) as running:
        yield running
        for left in Path("/dev/shm").glob("*faketime_*"):  # noqa: S108 -- libfaketime's own
            if int(left.name.rpartition("_")[2]) in {one.pid for one in running.seen}:
                left.unlink()


def test_a_server_that_crashes(machinery: Machinery) -> None:
    """What was committed is there when it runs again, and nothing else."""
    machinery.crash_database()
    time.sleep(2)
    machinery.start_database()

    machinery.goes_on()


def test_an_emptied_broker(machinery: Machinery) -> None:
    """Who rings is the database."""
    harm.empty_broker(machinery)

    machinery.goes_on()


def test_a_worker_that_stops_past_its_lease(machinery: Machinery) -> None:
    """Another plays its table, and what it hands in when it wakes up is not taken."""
    table = harm.sleep_past_lease(machinery)

    machinery.goes_on()
    assert harm.outcomes(machinery, table)[0] == "expired"
    assert harm.outcomes(machinery, table).count("done") == 1


def test_a_clock_that_is_ahead(machinery: Machinery) -> None:
    """A worker whose clock is wrong plays as others do, and where it is left alone it finds what was lost."""
    right, fast = machinery.services.processes[:2]
    told = subprocess.check_output([sys.executable, "-c", "import time; print(time.time())"], env=os.environ | faked())
    assert float(told) > time.time() + AHEAD - BACK

    machinery.kill(right)
    harm.empty_broker(machinery)
    before = machinery.done()
    wait_for(lambda: machinery.done() >= before + ENOUGH, BACK)
    assert fast.poll() is None
    machinery.services.worker(PLAYING // 2, "tests.faults.loud")

    machinery.goes_on()


def test_every_doorbell_rang_four_times(machinery: Machinery) -> None:
    """So many messages were sent; that no result was taken twice is seen to below."""
    assert harm.pushes(machinery) >= 4 * machinery.done()


def test_nothing_came_of_it(machinery: Machinery, league: course.Outcome) -> None:
    """Records, results, ratings and standings are, byte for byte, those of a tournament that nobody disturbed."""
    machinery.ends_as(league)


def test_nothing_is_left(machinery: Machinery) -> None:
    """When all is ended there is no process, no control group and no file."""
    machinery.ends()
