"""The engine benchmark measures our side, tolerates missing opponents, and reports ratios correctly."""

import math
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from arena.games import registry
from arena.games.base import State
from benchmarks import engine
from benchmarks.child import other
from benchmarks.results import NOTHING, Ratio, Result, Row
from benchmarks.sides import suit_arena
from benchmarks.sides.harness import Sample, mean

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


@pytest.mark.parametrize("name", suit_arena.MEASURES)
def test_every_measure_of_our_side_runs(name: str) -> None:
    """Each measurement yields a time and the number of things in a playout."""
    game = registry.game("suitability", {"deals": 1})
    sample = mean(suit_arena.MEASURES[name](game, Random(1)), budget=0.0)

    assert sample
    assert math.isfinite(sample.each)
    assert sample.things == 1 if name == "matches" else 55 <= sample.things <= 60


@pytest.mark.parametrize("id", registry.VARIANTS)
def test_every_variant_runs(id: str) -> None:
    """Matches are played to the end, including boards and ties."""
    variant = registry.variant(id)
    sample = mean(suit_arena.moves(registry.game(variant.game, variant.options), Random(1)), budget=0.0)

    assert sample
    assert sample.each > 0
    assert sample.things >= 1


def test_views_are_timed_on_identical_playouts() -> None:
    """The playout with views makes the same moves as the one without, so their difference is the views."""
    played: list[int] = []

    def count(state: State, random: Callable[[], float]) -> None:
        played.append(suit_arena.play(state, random))

    _, moves = next(suit_arena.views(registry.game("suitability"), Random(1), count))

    assert played == [moves]


def test_tables_without_installed_opponents(tmp_path: Path) -> None:
    """Our columns are filled, theirs are empty, and the first table names the reason."""
    about, beside, variants = engine.run(1, budget=0.0, installed=tmp_path)

    assert [row[0] for row in about.rows] == ["suit-arena", "open_spiel", "CPU"]
    assert about.rows[1][1] == "not installed"
    assert [row[0] for row in beside.rows] == [row.title for row in engine.ROWS]
    assert [row[0] for row in variants.rows] == list(registry.VARIANTS)
    for row in beside.rows:
        assert row[1] != NOTHING
        assert row[2:4] == (NOTHING,) * 2


def test_dead_opponent_reports_its_error(tmp_path: Path) -> None:
    """The last line on stderr appears in the table, and the opponent is not asked again."""
    python = tmp_path / "open_spiel/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho Traceback: >&2\necho 'ImportError: no cards' >&2\nexit 1\n")
    python.chmod(0o755)
    with other("open_spiel", tmp_path) as side:
        assert side.about == "died: ImportError: no cards"
        assert side.measure(engine.ROWS[0].commands[1], 1, 0.0) is None


@pytest.mark.parametrize(
    ("target", "theirs", "shown"),
    [
        (Ratio(1.25, speed=True), 1.25, ("1.25× speed", "≥ 1.25× speed", "yes")),
        (Ratio(1.25, speed=True), 1.2, ("1.20× speed", "≥ 1.25× speed", "no")),
        (Ratio(0.6), 2.0, ("0.50× time", "≤ 0.60× time", "yes")),
        (Ratio(0.6), 1.0, ("1.00× time", "≤ 0.60× time", "no")),
        (None, 4.0, ("0.25× time", NOTHING, NOTHING)),
    ],
)
def test_ratio_is_compared_with_its_target(target: Ratio | None, theirs: float, shown: tuple[str, ...]) -> None:
    """A speed must be at least the target, a time at most."""
    result = Result(Row("", (), target), [[Sample(1.0, 1)], [Sample(theirs, 1)]])

    assert (result.ratio(1), *result.reached()) == shown


def test_ratio_is_the_median_of_the_rounds() -> None:
    """Each round has its own ratio, because a slow phase of the machine affects both sides."""
    mine, theirs = [1.0, 10.0, 100.0], [2.0, 20.0, 100.0]
    result = Result(Row("", ()), [[Sample(each, 1) for each in side] for side in (mine, theirs)])

    assert result.ratio(1) == "0.50× time"


def test_docs_list_rows_and_targets() -> None:
    """The page has the rows and targets of the table in the same order."""
    section = PAGE.read_text().partition("## The engine\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|.*\| ([^|]+) \|$", section, re.MULTILINE)[2:]
    results = [Result(row, [[], []]) for row in engine.ROWS]

    assert rows == [(result.row.title, result.reached()[0]) for result in results]
    assert f"≤ {engine.OTHER_GAMES}" in PAGE.read_text()
