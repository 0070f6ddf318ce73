"""Real services for an arena in a temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.services.base.context import Arena, open_arena
from tests.workers.services import Services, serving
from workers.bell import CeleryBell


@pytest.fixture
def services(database_url: str, tmp_path: Path) -> Iterator[Services]:
    """Start a broker for a migrated database of either kind; the test starts the workers."""
    with serving(tmp_path, database_url) as running:
        yield running


@pytest.fixture
def arena(services: Services) -> Iterator[Arena]:
    """Open the arena that these workers serve."""
    opened = open_arena(services.settings, CeleryBell(services.settings))
    yield opened
    opened.close()
