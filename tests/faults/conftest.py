"""Fixtures for faults in real services."""

import pytest

from tests.faults import course
from tests.thrift import shared_folder


@pytest.fixture(scope="session")
def league(tmp_path_factory: pytest.TempPathFactory) -> course.Outcome:
    """Return the outcome of the undisturbed league, which is played once for all processes of a test run."""
    return course.cached_outcome(shared_folder(tmp_path_factory) / "undisturbed")
