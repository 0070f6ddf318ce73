"""Whatever is killed in mid-tournament costs time, and nothing else. All tests go on with the same tournament."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.processes import alive
from tests.faults import course
from tests.faults.machinery import PLAYING, Machinery, at_work, database, zygotes
from tests.workers.services import Services, wait_for

pytestmark = pytest.mark.service


def start(services: Services) -> None:
    """Two workers of two processes, and a clock."""
    services.worker(PLAYING // 2)
    services.worker(PLAYING // 2)
    services.beat()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def machinery(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machinery]:
    """A tournament of 40 bots and 520 tables that is being played, on a database of either kind."""
    home: Path = tmp_path_factory.mktemp(request.param)
    server = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    with database("killed", home, server) as url, at_work(home, url, server, start) as running:
        yield running


def test_a_playing_process(machinery: Machinery) -> None:
    """Its table is played by another, and it leaves no zygote and no bot."""
    machinery.family()
    pid, _ = machinery.one_at_play()
    bereft = zygotes(pid)

    os.kill(pid, signal.SIGKILL)

    wait_for(lambda: not any(alive(zygote) for zygote in bereft))
    machinery.goes_on()


def test_a_zygote(machinery: Machinery) -> None:
    """The bots that it had started are at no fault, and the process gets another one."""
    machinery.family()
    os.kill(zygotes(machinery.one_at_play()[0])[0], signal.SIGKILL)

    machinery.goes_on()


def test_a_worker_with_its_children(machinery: Machinery) -> None:
    """It leaves nothing, and its successor goes on."""
    machinery.kill(machinery.services.processes[0])
    machinery.services.worker(PLAYING // 2)

    machinery.goes_on()


def test_the_clock(machinery: Machinery) -> None:
    """The next one finds whatever was lost meanwhile."""
    machinery.kill(machinery.services.processes[2])
    os.kill(machinery.one_at_play()[0], signal.SIGKILL)
    machinery.services.beat()

    machinery.goes_on()


def test_the_broker(machinery: Machinery) -> None:
    """All doorbells are lost with it, and are rung again."""
    machinery.kill(machinery.services.broker.process)
    machinery.services.broker.start()

    machinery.goes_on()


def test_everything_at_once(machinery: Machinery) -> None:
    """Workers, clock, broker and the database's server: what was being played is played again."""
    living = [process for process in machinery.services.processes if process.poll() is None]
    machinery.crash_database()
    machinery.kill(*living, machinery.services.broker.process)
    machinery.start_database()
    machinery.services.broker.start()
    start(machinery.services)

    machinery.goes_on()


def test_nothing_came_of_it(machinery: Machinery, league: course.Outcome) -> None:
    """Records, results, ratings and standings are, byte for byte, those of a tournament that nobody disturbed."""
    machinery.ends_as(league)


def test_nothing_is_left(machinery: Machinery) -> None:
    """When all is ended there is no process, no control group and no file."""
    machinery.ends()
