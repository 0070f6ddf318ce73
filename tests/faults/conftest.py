"""Faults are tried on real services."""

import os

import pytest

from tests.faults import course


@pytest.fixture(scope="session")
def league(tmp_path_factory: pytest.TempPathFactory) -> course.Outcome:
    """What the league comes to that nobody disturbs. It is played once for all processes of a test run."""
    base = tmp_path_factory.getbasetemp()
    return course.remembered((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "undisturbed")
