"""Fixtures for faults in real services."""

import os

import pytest

from tests.faults import course


@pytest.fixture(scope="session")
def league(tmp_path_factory: pytest.TempPathFactory) -> course.Outcome:
    """Return the outcome of the undisturbed league, which is played once for all processes of a test run."""
    base = tmp_path_factory.getbasetemp()
    return course.cached_outcome((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "undisturbed")
