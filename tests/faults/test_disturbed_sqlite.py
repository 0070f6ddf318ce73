"""A small disk, a broker that stands still and a worker that sleeps cost a tournament on SQLite time, and nothing else.

All tests go on with the same tournament. All the while every doorbell rings four times, and there are two clocks.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tests.faults import course, harm
from tests.faults.machinery import PLAYING, Machinery, at_work
from tests.workers.services import Services, wait_for

pytestmark = pytest.mark.service

STANDSTILL: Final = 60.0
"""Seconds for which the broker does not answer."""
FULL: Final = 8.0
"""Seconds for which the disk is full."""


def start(services: Services) -> None:
    """Two loud workers and two clocks."""
    for _ in range(2):
        services.worker(PLAYING // 2, "tests.faults.loud")
        services.beat()


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A disk of two megabytes."""
    if os.geteuid():
        pytest.skip("needs root, to mount a disk")
    folder = tmp_path_factory.mktemp("disk")
    mount(folder, "-t", "tmpfs", "-o", "size=2m", "tmpfs")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def mount(folder: Path, *words: str) -> None:
    """Call mount(8)."""
    subprocess.run(["mount", *words, folder], check=True)


@pytest.fixture(scope="module")
def machinery(disk: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machinery]:
    """A tournament of 40 bots and 520 tables that is being played, with a database on the small disk."""
    with at_work(tmp_path_factory.mktemp("home"), f"sqlite:///{disk / 'arena.db'}", None, start) as running:
        yield running


def test_a_full_disk(machinery: Machinery, disk: Path) -> None:
    """Nothing can be written until there is room again; what could not be handed in is played again."""
    wait_for(lambda: not writes(machinery))
    time.sleep(FULL)
    mount(disk, "-o", "remount,size=64m")

    machinery.goes_on()


def writes(machinery: Machinery) -> bool:
    """Whether the database takes a note of many bytes; it is not kept."""
    try:
        with machinery.arena.transaction() as session:
            session.execute(text("CREATE TABLE note (text TEXT)"))
            session.execute(text("INSERT INTO note VALUES (:text)"), {"text": "x" * 50_000})
            session.execute(text("DROP TABLE note"))
    except OperationalError as error:
        return "full" not in str(error)
    return True


def test_an_emptied_broker(machinery: Machinery) -> None:
    """Who rings is the database."""
    harm.empty_broker(machinery)

    machinery.goes_on()


def test_a_broker_that_stands_still(machinery: Machinery) -> None:
    """For a minute; then everybody goes on by themselves."""
    with harm.stopped(machinery.services.broker.process.pid):
        time.sleep(STANDSTILL)

    machinery.goes_on()


def test_a_worker_that_stops_past_its_lease(machinery: Machinery) -> None:
    """Another plays its table, and what it hands in when it wakes up is not taken."""
    table = harm.sleep_past_lease(machinery)

    machinery.goes_on()
    assert harm.outcomes(machinery, table)[0] == "expired"
    assert harm.outcomes(machinery, table).count("done") == 1


def test_every_doorbell_rang_four_times(machinery: Machinery) -> None:
    """So many messages were sent; that no result was taken twice is seen to below."""
    assert harm.pushes(machinery) >= 4 * machinery.done()


def test_nothing_came_of_it(machinery: Machinery, league: course.Outcome) -> None:
    """Records, results, ratings and standings are, byte for byte, those of a tournament that nobody disturbed."""
    machinery.ends_as(league)


def test_nothing_is_left(machinery: Machinery) -> None:
    """When all is ended there is no process, no control group and no file."""
    machinery.ends()
