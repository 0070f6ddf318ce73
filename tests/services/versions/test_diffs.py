"""Differences between programs."""

import pytest

from arena.services.versions import diffs
from arena.services.versions.diffs import differences


def test_changed_lines_are_shown_with_their_numbers() -> None:
    """A changed line is removed and added; equal lines around it have both numbers."""
    before = "".join(f"line {number}\n" for number in range(1, 21))
    (file,) = differences({"bot.py": before}, {"bot.py": before.replace("line 10\n", "line ten\n")})
    (hunk,) = file.hunks

    assert (file.state, file.added, file.removed) == ("changed", 1, 1)
    assert [(line.sign, line.a, line.b, line.text) for line in hunk[2:6]] == [
        (" ", 9, 9, "line 9"), ("-", 10, None, "line 10"), ("+", None, 10, "line ten"), (" ", 11, 11, "line 11"),
    ]  # fmt: skip
    assert len(hunk) == 2 + 2 * diffs.CONTEXT


def test_files_that_only_one_program_has_are_listed() -> None:
    """Files are in the order of their names, and equal ones are left out."""
    found = differences({"a.py": "x\n", "same.py": "y\n"}, {"b.py": "x\n", "same.py": "y\n"})

    assert [(file.name, file.state, file.added, file.removed) for file in found] == [
        ("a.py", "removed", 0, 1), ("b.py", "added", 1, 0),
    ]  # fmt: skip


def test_long_files_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limit is only reported as different."""
    monkeypatch.setattr(diffs, "MOST_LINES", 2)

    (found,) = differences({"bot.py": "1\n2\n3\n"}, {"bot.py": "1\n"})

    assert (found.name, found.state, found.hunks) == ("bot.py", "too long", [])
