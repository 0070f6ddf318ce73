"""Fixtures for tests of the queue."""

import pytest

from arena.services.tournaments import starts


@pytest.fixture
def created_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Create all tables of a tournament when it starts."""
    monkeypatch.setattr(starts, "BATCH", 10_000)
