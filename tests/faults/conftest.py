"""Faults are tried on real services."""

import os
from pathlib import Path

import pytest

from tests.faults import course


@pytest.fixture(scope="session")
def peace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a test run share, for what tournaments come to that nobody disturbed."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "undisturbed"


@pytest.fixture(scope="session")
def league(peace: Path) -> course.Outcome:
    """What the large tournament comes to."""
    return course.remembered(peace, course.LEAGUE)


@pytest.fixture(scope="session")
def rounds(peace: Path) -> course.Outcome:
    """What the tournament in stages comes to."""
    return course.remembered(peace, course.ROUNDS)
