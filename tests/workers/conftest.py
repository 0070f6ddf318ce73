"""Real services for an arena in a folder of its own."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.db.migrate import upgrade
from arena.services.context import Arena, open_arena
from tests import factories
from tests.workers.services import Services, broker
from workers.bell import celery_bell


@pytest.fixture
def services(database_url: str, tmp_path: Path) -> Iterator[Services]:
    """A migrated database of either kind and a broker; workers are started by the test."""
    # The address of a socket must be short, and pytest's folders are deep.
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as folder, broker(Path(folder)) as url:
        settings = factories.settings_in(
            tmp_path, ARENA_DATABASE_URL=database_url, ARENA_BROKER_URL=url, ARENA_LEASE="3"
        )
        upgrade(settings.database_url)
        running = Services(settings)
        yield running
        running.close()


@pytest.fixture
def arena(services: Services) -> Iterator[Arena]:
    """The arena that those workers serve."""
    opened = open_arena(services.settings, celery_bell(services.settings))
    yield opened
    opened.close()
