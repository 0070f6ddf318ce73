"""A small class in a running arena."""

from pathlib import Path

import pytest

from tests.classroom.course import Course, problems
from tests.cli.test_up import FAVOURED, running

pytestmark = pytest.mark.service


def test_small_class_joins_fails_mends_and_is_graded(tmp_path: Path) -> None:
    """One student copies, one attacks, one mends, and one uploads again after the deadline."""
    with running(tmp_path / "home", *FAVOURED, ARENA_WORKERS="2") as up:
        words = next(line for line in up.lines if "with the password" in line).split()
        address, password = f"http://127.0.0.1:{up.port}", words[words.index("password") + 1]
        course = Course(address, password, 5, patience=500.0)
        lines = course.run()

    assert problems(course, lines) == []
