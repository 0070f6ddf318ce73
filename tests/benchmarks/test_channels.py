"""Whispers between seats: really told, rightly counted."""

import re
from pathlib import Path

import pytest

from arena.sandbox import DEFAULT_LIMITS
from benchmarks import channels
from benchmarks.sides.measuring import Sample
from benchmarks.sides.whispers import Heard, hear, measure, misread

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


def test_pauses_that_differ_much_are_heard() -> None:
    """A fifth of a second is told apart from nothing on any machine."""
    heard = hear("delay", 2, DEFAULT_LIMITS, seed=1, budget=0.0, step=0.2)

    assert heard.wrong < 0.5
    assert 0 < heard.rate < 1 / 0.1


@pytest.mark.parametrize("way", sorted({way.measure for way in channels.WAYS}))
def test_every_way_is_tried(way: str) -> None:
    """With the smallest of messages; what is understood depends on the machine."""
    heard = Heard(*measure(way, ("", {"numbers": 2, "limits": {"bracket": True}}), 1, 0.0))

    assert 0 <= heard.wrong <= 1
    assert heard.rate > 0


def test_numbers_are_read_as_the_nearest_that_is_known() -> None:
    """The first half shows what they look like; the second half is counted."""
    known = [(0, 1.0), (1, 5.0), (0, 1.2), (1, 4.0)]

    assert misread([*known, (0, 2.0), (0, 0.0), (1, 9.0), (1, 3.0)]) == 0.0
    assert misread([*known, (1, 2.0), (0, 0.0), (1, 9.0), (0, 3.0)]) == 0.5


@pytest.mark.parametrize(
    ("numbers", "wrong", "bits"),
    [(2, 0.0, 1.0), (16, 0.0, 4.0), (2, 0.5, 0.0), (2, 0.11, 0.5), (4, 0.75, 0.0), (2, 1.0, 0.0)],
)
def test_bits_are_those_of_a_symmetric_channel(numbers: int, wrong: float, bits: float) -> None:
    """All of them where nothing is misread, none where it is a guess."""
    assert channels.capacity(numbers, wrong) == pytest.approx(bits, abs=0.001)


def test_a_row_has_bits_a_move_and_a_second() -> None:
    """What is nothing is shown as nothing."""
    way = channels.Way("cache", "default", "cache", {})

    assert channels.row(way, [Sample(0.0, 100.0), Sample(0.0, 300.0)])[2:] == ("0.0%", "1.00", "200")
    assert channels.row(way, [Sample(0.5, 100.0)])[2:] == ("50.0%", "0.00", "–")


def test_the_table_has_a_row_for_every_way() -> None:
    """They are measured by bots in a process of their own."""
    (table,) = channels.run(1, channels.WAYS[:2], shorter=0.0)

    assert [row[:2] for row in table.rows] == [(way.title, way.setting) for way in channels.WAYS[:2]]


def test_the_page_has_the_ways() -> None:
    """What the page says of the table is what the table shows."""
    section = PAGE.read_text().partition("## Whispers between seats\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", section, re.MULTILINE)[2:]

    assert rows == [(way.title, way.setting) for way in channels.WAYS]
