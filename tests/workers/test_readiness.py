"""Readiness of an arena with real processes."""

import pytest

from arena.services.base.context import Arena
from arena.services.health.readiness import checks
from tests.workers.services import Services, wait_for

pytestmark = pytest.mark.service


def says(arena: Arena) -> str:
    """Return what the check of the workers says."""
    return checks(arena)[-1].says


def test_arena_is_ready_when_a_worker_has_held_a_bot(arena: Arena, services: Services) -> None:
    """A live worker that cannot hold bots is not enough, although nothing waits to be played."""
    assert says(arena) == "No worker process reports."
    services.worker(app="tests.workers.uncaged")
    services.beat()
    wait_for(lambda: says(arena) == "All worker processes are paused or out (1).")

    services.worker()

    wait_for(lambda: all(check.holds for check in checks(arena)))
