"""Real services for an arena in a folder of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.services.context import Arena, open_arena
from tests.workers.services import Services, serving
from workers.bell import celery_bell


@pytest.fixture
def services(database_url: str, tmp_path: Path) -> Iterator[Services]:
    """A migrated database of either kind and a broker; workers are started by the test."""
    with serving(tmp_path, database_url) as running:
        yield running


@pytest.fixture
def arena(services: Services) -> Iterator[Arena]:
    """The arena that those workers serve."""
    opened = open_arena(services.settings, celery_bell(services.settings))
    yield opened
    opened.close()
