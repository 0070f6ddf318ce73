"""Differences between programs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_too_many_lines_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is on the lines of all files that differ; a file beyond it is only reported as different."""
    monkeypatch.setattr(diffs, "MOST_LINES", 5)
    a, b = {"a.py": "1\n2\n", "b.py": "1\n", "c.py": "1\n"}, {"a.py": "2\n", "b.py": "2\n3\n", "c.py": "2\n"}

    found = differences(a, b)

    assert [(file.name, file.state) for file in found] == [
        ("a.py", "changed"),
        ("b.py", "too long"),
        ("c.py", "changed"),
    ]
    assert found[1].hunks == []


@pytest.mark.timeout(8)  # a hundred times what it takes; quadratic time takes twice this
def test_time_does_not_depend_on_what_the_lines_are() -> None:
    """Files in which every second line repeats often, and the others are unique, are compared in a moment."""
    a, b = (
        "\n".join(f"again {line // 2 % 50}" if line % 2 else f"{name} {line}" for line in range(5_000)) for name in "ab"
    )
    (file,) = differences({"bot.py": a}, {"bot.py": b})

    assert file.state == "changed"


@given(*[st.lists(st.sampled_from("abcdef"))] * 2)
def test_changes_lead_from_one_program_to_the_other(before: list[str], after: list[str]) -> None:
    """Without the lines removed, and with those added, the first program is the second, whatever they are."""
    matcher = diffs._Matcher(None, before, after)
    found = [
        line
        for tag, a, a_end, b, b_end in matcher.get_opcodes()
        for line in (before[a:a_end] if tag == "equal" else after[b:b_end])
    ]

    assert found == after
    assert all(before[a:a_end] == after[b:b_end] for tag, a, a_end, b, b_end in matcher.get_opcodes() if tag == "equal")
