"""The page about compatibility: its numbers are those of the code, and its tests exist."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ROWS = [
    line.strip("| ").split(" | ")
    for line in (ROOT / "docs/compatibility.md").read_text().splitlines()
    if line.startswith("| ") and line.count("|") == 6 and "---" not in line
][1:]
NUMBERED = [pair for row in ROWS for pair in re.findall(r"`(\S+)` in `([\w.]+)`", row[1])]


def value(path: str) -> Any:
    """Return the constant with this path, or what the function with this path returns."""
    module, _, name = path.rpartition(".")
    found = getattr(import_module(module), name)
    return found() if callable(found) else found


@pytest.mark.parametrize(("number", "path"), NUMBERED, ids=[path for _, path in NUMBERED])
def test_numbers_are_those_of_the_code(number: str, path: str) -> None:
    """A number that rises is changed on the page, too, with its promise."""
    assert str(value(path)) == number


def test_each_promise_has_a_test() -> None:
    """The last column names files."""
    assert len(ROWS) > 10
    assert len(NUMBERED) > 6
    for row in ROWS:
        named = re.findall(r"`(tests/[\w/.]+)`", row[-1])
        assert named, row[0]
        assert all((ROOT / path).is_file() for path in named), row[0]
