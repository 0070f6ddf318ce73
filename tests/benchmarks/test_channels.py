"""Covert channels between seats: bots really use them, and their capacity is computed correctly."""

import re
from pathlib import Path
from random import Random

import pytest

from arena.sandbox import DEFAULT_LIMITS, Cage
from benchmarks import channels
from benchmarks.sides.channels import Reception, balanced, measure, misread, transmit

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


def test_long_pauses_are_decoded_with_a_clock_of_real_time() -> None:
    """Without the layer, a pause of 0.2 seconds is distinguishable from none on any machine."""
    with Cage("none", without=["clocks"]) as cage:
        received = transmit(cage, "delay", 2, DEFAULT_LIMITS, seed=1, budget=0.0, step=0.2)

    assert received.wrong < 0.5
    assert 0 < received.rate < 1 / 0.1


@pytest.mark.parametrize("way", sorted({channel.measure for channel in channels.CHANNELS}))
def test_every_channel_transmits(way: str) -> None:
    """Each channel runs with the smallest budget; its error rate depends on the machine."""
    received = Reception(*measure(way, ("", {"alphabet": 2, "limits": {"bracket": True}}), 1, 0.0))

    assert 0 <= received.wrong <= 1
    assert received.rate > 0


def test_numbers_decode_to_the_nearest_median() -> None:
    """The first half calibrates; only the second half is counted."""
    known = [(0, 1.0), (1, 5.0), (0, 1.2), (1, 4.0)]

    assert misread([*known, (0, 2.0), (0, 0.0), (1, 9.0), (1, 3.0)]) == 0.0
    assert misread([*known, (1, 2.0), (0, 0.0), (1, 9.0), (0, 3.0)]) == 0.5


@pytest.mark.parametrize(
    ("alphabet", "wrong", "bits"),
    [(2, 0.0, 1.0), (16, 0.0, 4.0), (2, 0.5, 0.0), (2, 0.11, 0.5), (4, 0.75, 0.0), (2, 1.0, 0.0)],
)
def test_capacity_is_that_of_a_symmetric_channel(alphabet: int, wrong: float, bits: float) -> None:
    """A channel without errors carries every bit, and a channel of guesses none."""
    assert channels.capacity(alphabet, wrong) == pytest.approx(bits, abs=0.001)


def test_run_measures_channels_in_a_child_process() -> None:
    """The table has one row per channel."""
    (table,) = channels.run(1, channels.CHANNELS[:2], scale=0.0)

    assert [row[:2] for row in table.rows] == [(each.title, each.setting) for each in channels.CHANNELS[:2]]


def test_docs_list_every_channel() -> None:
    """The page has the rows of the table in the same order."""
    section = PAGE.read_text().partition("## Covert channels between seats\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", section, re.MULTILINE)[2:]

    assert rows == [(each.title, each.setting) for each in channels.CHANNELS]


def test_forced_and_other_moves_are_balanced() -> None:
    """Always guessing the more frequent kind of move must not look like knowledge."""
    seen = [*((0, float(number)) for number in range(90)), *((1, -1.0) for _ in range(10))]
    mixed = balanced(seen, Random(1))

    assert sorted(number for number, _ in mixed) == [0] * 10 + [1] * 10
    assert set(mixed) <= set(seen)
