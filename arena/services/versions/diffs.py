"""Differences between two programs, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

CONTEXT: Final = 3
"""Number of equal lines around a change."""
MOST_LINES: Final = 5_000
"""Largest number of lines of a file that is compared line by line."""


class DiffLine(NamedTuple):
    """A line of a difference."""

    sign: str
    """``-`` if only the first program has it, ``+`` if only the second does, and a space if both do."""
    a: int | None
    """Its number in the first program."""
    b: int | None
    """Its number in the second program."""
    text: str


class FileDiff(NamedTuple):
    """A file that differs."""

    name: str
    state: str
    """``added``, ``removed``, ``changed``, or ``too long`` to be compared line by line."""
    hunks: Sequence[Sequence[DiffLine]]
    """Groups of changed lines with the equal lines around them."""
    before: Sequence[str]
    """Its lines in the first program."""
    after: Sequence[str]
    """Its lines in the second program."""

    @property
    def added(self) -> int:
        """Number of lines that only the second program has."""
        return sum(line.sign == "+" for hunk in self.hunks for line in hunk)

    @property
    def removed(self) -> int:
        """Number of lines that only the first program has."""
        return sum(line.sign == "-" for hunk in self.hunks for line in hunk)


def differences(a: Mapping[str, str], b: Mapping[str, str]) -> list[FileDiff]:
    """Return the files that differ between two programs, by name, given the text of each file."""
    return [_file(name, a.get(name), b.get(name)) for name in sorted(a.keys() | b.keys()) if a.get(name) != b.get(name)]


def _file(name: str, a: str | None, b: str | None) -> FileDiff:
    state = "added" if a is None else "removed" if b is None else "changed"
    before, after = (a or "").splitlines(), (b or "").splitlines()
    if max(len(before), len(after)) > MOST_LINES:
        return FileDiff(name, "too long", [], before, after)
    groups = SequenceMatcher(None, before, after).get_grouped_opcodes(CONTEXT)
    hunks = [[line for code in group for line in _lines(code, before, after)] for group in groups]
    return FileDiff(name, state, hunks, before, after)


def _lines(code: tuple[str, int, int, int, int], before: Sequence[str], after: Sequence[str]) -> Iterator[DiffLine]:
    tag, a_from, a_to, b_from, b_to = code
    if tag == "equal":
        for a, b in zip(range(a_from, a_to), range(b_from, b_to), strict=True):
            yield DiffLine(" ", a + 1, b + 1, before[a])
        return
    yield from (DiffLine("-", a + 1, None, before[a]) for a in range(a_from, a_to))
    yield from (DiffLine("+", None, b + 1, after[b]) for b in range(b_from, b_to))
