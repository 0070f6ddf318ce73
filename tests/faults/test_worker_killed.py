"""A worker that is killed in mid-tournament costs time, and nothing else."""

import os
import signal

import pytest
from sqlalchemy import func, select

from arena.db.models import Attempt, Table
from arena.services import fsck
from arena.services.context import Arena
from arena.services.shapes import Account
from arena.services.tournaments import tournament_page
from tests import factories
from tests.workers.services import Services, children, wait_for

pytestmark = pytest.mark.service


def count(arena: Arena, *which: object) -> int:
    """How many tables there are like that."""
    with arena.reading() as session:
        return session.scalars(select(func.count()).select_from(Table).where(*which)).one()  # type: ignore[arg-type]


def test_a_tournament_survives_kill_9_of_a_playing_process(arena: Arena, admin: Account, services: Services) -> None:
    """The process dies while it plays; every table still gets exactly one result, and ratings are the fold."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 6))
    worker = services.worker(2)
    services.beat()
    wait_for(lambda: count(arena, Table.state == "done") >= 2)

    wait_for(lambda: kill_one_that_plays(arena, worker.pid))

    wait_for(lambda: tournament_page(arena, cup).row.state == "finished")
    assert count(arena, Table.state == "done") == 15
    assert fsck.check(arena) == []
    with arena.reading() as session:
        assert session.scalar(select(func.count()).where(Attempt.outcome == "done")) == 15


def test_a_tournament_survives_the_end_of_a_whole_worker(arena: Arena, admin: Account, services: Services) -> None:
    """The worker dies with all its children, and another one goes on."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 6))
    worker = services.worker(2)
    services.beat()
    wait_for(lambda: count(arena, Table.state == "running") > 0 and count(arena, Table.state == "done") >= 2)

    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    services.worker(2)

    wait_for(lambda: tournament_page(arena, cup).row.state == "finished")
    assert fsck.check(arena) == []


def kill_one_that_plays(arena: Arena, worker: int) -> bool:
    """Kill a process of the worker while it holds a table, as well as one can tell from outside."""
    with arena.reading() as session:
        holders = session.scalars(select(Table.worker).where(Table.state == "running")).all()
    playing = {int(name.rpartition(":")[2]) for name in holders if name}
    for pid in playing.intersection(children(worker)):
        os.kill(pid, signal.SIGKILL)
        return True
    return False
