"""A small class in a running arena."""

from pathlib import Path

import pytest

from tests.classroom.course import Course, problems
from tests.cli.test_up import FAVOURED, furnish, running

pytestmark = pytest.mark.service


def test_small_class_joins_fails_mends_and_is_graded(tmp_path: Path) -> None:
    """One student copies, one attacks, one mends, and one uploads again after the deadline."""
    password = furnish(tmp_path / "home")
    with running(tmp_path / "home", *FAVOURED, ARENA_WORKERS="2") as up:
        course = Course(f"http://127.0.0.1:{up.port}", password, 5, patience=500.0)
        lines = course.run()

    assert problems(course, lines) == []
