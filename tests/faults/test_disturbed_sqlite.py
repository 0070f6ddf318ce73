"""Faults on SQLite: a full disk, a stopped broker and a stopped worker cost a tournament time, and nothing else.

All tests continue the same tournament. Every doorbell rings four times, and there are two beats.
"""

import os
import shutil
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

STANDSTILL: Final = 20.0
"""Seconds for which the broker does not answer: four times those after which it counts as down."""
FULL: Final = 8.0
"""Seconds for which the disk is full."""
LARGE, ROOM = 64 * 2**20, 2**18
"""Size of the disk in bytes, and the room that is left on it when it begins to fill up."""


def start(services: Services) -> None:
    """Start two loud workers and two beats. They use the disk to the end."""
    services.environ["ARENA_DISK_RESERVE"] = "0"
    for _ in range(2):
        services.worker(PLAYING // 2, "tests.faults.loud")
        services.beat()


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Mount a small disk."""
    if os.geteuid():
        pytest.skip("needs root, to mount a disk")
    folder = tmp_path_factory.mktemp("disk")
    mount(folder, "-t", "tmpfs", "-o", f"size={LARGE}", "tmpfs")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def mount(folder: Path, *words: str) -> None:
    """Call mount(8)."""
    subprocess.run(["mount", *words, folder], check=True)


@pytest.fixture(scope="module")
def machinery(disk: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machinery]:
    """Start a tournament of 24 bots and 276 tables, with its database on the small disk."""
    with at_work(tmp_path_factory.mktemp("home"), f"sqlite:///{disk / 'arena.db'}", None, start) as running:
        yield running


def test_full_disk(machinery: Machinery, disk: Path) -> None:
    """Tables whose results could not be written are played again when there is room."""
    mount(disk, "-o", f"remount,size={shutil.disk_usage(disk).used + ROOM}")
    wait_for(lambda: not writes(machinery))
    time.sleep(FULL)
    mount(disk, "-o", f"remount,size={LARGE}")

    machinery.check_recovery()


def writes(machinery: Machinery) -> bool:
    """Return whether the database accepts a large row, which is then dropped."""
    try:
        with machinery.arena.transaction() as session:
            session.execute(text("CREATE TABLE note (text TEXT)"))
            session.execute(text("INSERT INTO note VALUES (:text)"), {"text": "x" * 50_000})
            session.execute(text("DROP TABLE note"))
    except OperationalError as error:
        return "full" not in str(error)
    return True


def test_emptied_broker(machinery: Machinery) -> None:
    """The database causes the doorbells to ring again."""
    harm.empty_broker(machinery)

    machinery.check_recovery()


def test_stopped_broker(machinery: Machinery) -> None:
    """All services continue by themselves after the broker was stopped for twenty seconds."""
    with harm.stopped(machinery.services.broker.process.pid):
        time.sleep(STANDSTILL)

    machinery.check_recovery()


def test_worker_stopped_past_its_lease(machinery: Machinery) -> None:
    """Another worker plays its table, and the late result is refused."""
    table = harm.stop_past_lease(machinery)

    machinery.check_recovery()
    assert harm.outcomes(machinery, table)[0] == "expired"
    assert harm.outcomes(machinery, table).count("done") == 1


def test_every_doorbell_rings_four_times(machinery: Machinery) -> None:
    """The broker gets every doorbell for tables in four copies."""
    assert harm.copies(machinery) >= 4


def test_outcome_equals_undisturbed_league(machinery: Machinery, league: course.Outcome) -> None:
    """Records, results, ratings and standings are byte for byte those of an undisturbed tournament."""
    machinery.check_outcome(league)


def test_nothing_is_left(machinery: Machinery) -> None:
    """No process, control group or file is left at the end."""
    machinery.check_nothing_is_left()
