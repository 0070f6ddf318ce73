"""The benchmark of playouts."""

from collections.abc import Sequence
from random import Random

import pytest

from arena.games.registry import rules_of
from benchmarks import search
from benchmarks.results import Result, Row
from benchmarks.sides import playouts_bot
from benchmarks.sides.harness import Sample


@pytest.mark.parametrize("name", ["rules", "rules_fresh", "twin", "kernel", "kernel_fresh"])
def test_each_measure_counts_playouts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A measurement of no time makes one call, and counts its playouts."""
    monkeypatch.setattr(playouts_bot, "AT_ONCE", {})
    state = playouts_bot.first_card(rules_of("separate-suits-2" if name == "rules" else "suits-steere-3"), Random(1))
    seconds, playouts = playouts_bot.measure(name, state, Random(2), 0.0)

    assert seconds > 0
    assert playouts == playouts_bot.FEW


def rows_of(samples: Sequence[Sequence[float]]) -> tuple[str, ...]:
    """Return the cells of a row with these seconds per playout, by side."""
    row: Row = next(search.rows())
    return search.cells(Result(row, [[Sample(each, 1) for each in side] for side in samples]))


def test_ratios_are_to_the_rules_and_the_twin() -> None:
    """A kernel a hundred times as fast reaches the target; a row without the twin has an empty cell."""
    assert rows_of([[0.001], [0.1], [0.2]])[3:6] == ("100.00× speed", "≥ 50.00× speed", "yes")
    assert rows_of([[0.001], [0.1], []])[6:] == ("–", "–")
