"""The page of benchmarks names every subject and every target."""

import re
from pathlib import Path

import pytest

from benchmarks import events, folds, load, memory, queue, ratings, relays, web
from benchmarks.__main__ import SUBJECTS

PAGE = (Path(__file__).parents[2] / "docs/benchmarks.md").read_text()


def section(title: str) -> str:
    """Return the text of a section."""
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_every_subject_is_listed() -> None:
    """The first table has a row for each subject in the order of the program."""
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(SUBJECTS)


@pytest.mark.parametrize(
    ("title", "target"),
    [
        ("Covert channel to the next match", f"{relays.MOST} bit"),
        ("Ratings", ratings.target()),
        ("Ratings", f"| {folds.AFTER} |"),
        *(("Ratings", f"| a result, {count} open tournaments |") for count in folds.OPEN[1:]),
        ("The queue", f"≥ {queue.KEPT:g}×"),
        ("The queue", f"≥ {queue.TWICE:g}×"),
        ("Memory", f"{memory.GOAL} MiB"),
        ("Pages and API", f"{1000 * load.WAIT:g} ms"),
        ("Pages and API", f"{web.COLD:,} bytes"),
        ("Pages and API", f"{web.CORE:g} cores and {web.TRAFFIC:,} bytes"),
        ("Pages and API", f"≤ {events.SHARE:g}×"),
    ],
)
def test_targets_are_listed(title: str, target: str) -> None:
    """A section states the target as the program has it."""
    assert target in section(title)
