"""Differences between two programs, line by line."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import Match, SequenceMatcher
from typing import Annotated, Final, NamedTuple

from arena.services.base.views import View, says

CONTEXT: Final = 3
"""Number of equal lines around a change."""
MOST_LINES: Final = 10_000
"""Largest number of lines of both programs, in all files that differ, that are compared."""
DEPTH: Final = 8
"""Number of times that lines are looked for between equal ones."""

At = tuple[int, int]
"""Index of a line in each program."""


class DiffLine(View, frozen=True):
    """A line of a difference."""

    sign: Annotated[str, says("`-` if only a has it, `+` if only b has it, a space if both do.")]
    a: Annotated[int | None, says("Its number in a.")]
    b: Annotated[int | None, says("Its number in b.")]
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


class _Matcher(SequenceMatcher[str]):
    """Matcher of lines by those that occur once on each side: patience diff, by Bram Cohen.

    Takes n log n steps for n lines; the algorithm of `SequenceMatcher` takes up to n³.
    """

    a: Sequence[str]
    b: Sequence[str]

    def get_matching_blocks(self) -> list[Match]:
        """Return the blocks of equal lines in order, with an empty one at the end."""
        blocks: list[Match] = []
        for a, b in _equal(self.a, self.b, (0, 0), (len(self.a), len(self.b)), DEPTH):
            last = blocks[-1] if blocks else Match(-1, -1, 0)
            if (a, b) == (last.a + last.size, last.b + last.size):
                blocks[-1] = last._replace(size=last.size + 1)
            else:
                blocks.append(Match(a, b, 1))
        return [*blocks, Match(len(self.a), len(self.b), 0)]


def differences(a: Mapping[str, str], b: Mapping[str, str]) -> list[FileDiff]:
    """Return the files that differ between two programs, by name, given the text of each file.

    Files are too long if together with those before them they have more than `MOST_LINES` lines.
    """
    found, left = [], MOST_LINES
    for name in sorted(a.keys() | b.keys()):
        if a.get(name) != b.get(name):
            file = _file(name, a.get(name), b.get(name), left)
            found.append(file)
            left -= len(file.before) + len(file.after)
    return found


def _file(name: str, a: str | None, b: str | None, most_lines: int) -> FileDiff:
    before, after = (a or "").splitlines(), (b or "").splitlines()
    if len(before) + len(after) > most_lines:
        return FileDiff(name, "too long", [], [], [])
    state = "added" if a is None else "removed" if b is None else "changed"
    groups = _Matcher(None, before, after).get_grouped_opcodes(CONTEXT)
    hunks = [[line for code in group for line in _lines(code, before, after)] for group in groups]
    return FileDiff(name, state, hunks, before, after)


def _equal(a: Sequence[str], b: Sequence[str], start: At, end: At, depth: int) -> list[At]:
    """Return the lines that both sides keep between two places, looking between those found `depth` times."""
    first, last = [], []
    while start[0] < end[0] and start[1] < end[1] and a[start[0]] == b[start[1]]:
        first.append(start)
        start = (start[0] + 1, start[1] + 1)
    while start[0] < end[0] and start[1] < end[1] and a[end[0] - 1] == b[end[1] - 1]:
        end = (end[0] - 1, end[1] - 1)
        last.append(end)
    if depth and (anchors := _anchors(a, b, start, end)):
        for anchor in [*anchors, end]:
            first += _equal(a, b, start, anchor, depth - 1)
            start = anchor
    return first + last[::-1]


def _anchors(a: Sequence[str], b: Sequence[str], start: At, end: At) -> list[At]:
    """Return the longest list, increasing on both sides, of lines that occur once on each."""
    once_a, once_b = (
        {line for line, count in Counter(lines).items() if count == 1}
        for lines in (a[start[0] : end[0]], b[start[1] : end[1]])
    )
    places = {b[at]: at for at in range(start[1], end[1]) if b[at] in once_a and b[at] in once_b}
    ends: list[int] = []  # for each length, the least place in b at which a list of this length ends, and
    tops: list[int] = []  # its place in a
    before: dict[int, int | None] = {}
    for at in range(start[0], end[0]):
        if (other := places.get(a[at])) is not None:
            length = bisect_left(ends, other)
            before[at] = tops[length - 1] if length else None
            ends[length : length + 1] = [other]
            tops[length : length + 1] = [at]
    found: list[At] = []
    last = tops[-1] if tops else None
    while last is not None:
        found.append((last, places[a[last]]))
        last = before[last]
    return found[::-1]


def _lines(code: tuple[str, int, int, int, int], before: Sequence[str], after: Sequence[str]) -> Iterator[DiffLine]:
    tag, a_from, a_to, b_from, b_to = code
    if tag == "equal":
        for a, b in zip(range(a_from, a_to), range(b_from, b_to), strict=True):
            yield DiffLine(" ", a + 1, b + 1, before[a])
        return
    yield from (DiffLine("-", a + 1, None, before[a]) for a in range(a_from, a_to))
    yield from (DiffLine("+", None, b + 1, after[b]) for b in range(b_from, b_to))
