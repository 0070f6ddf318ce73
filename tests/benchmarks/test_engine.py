"""The benchmark of the engine: our own side measures, those of others may be missing, and tables say what was found."""

import math
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from arena.games import registry
from arena.games.base import State
from benchmarks import __main__ as runner
from benchmarks import engine
from benchmarks.child import other
from benchmarks.duels import Ratio, Result, Row
from benchmarks.sides import suit_arena
from benchmarks.sides.measuring import Sample, mean
from benchmarks.table import NOTHING, Table, durations, rates

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


@pytest.mark.parametrize("name", suit_arena.MEASURES)
def test_our_side_measures_everything(name: str) -> None:
    """Each measurement finds a time, of as many things as a playout has."""
    game = registry.game("suitability", {"deals": 1})
    sample = mean(suit_arena.MEASURES[name](game, Random(1)), budget=0.0)

    assert sample
    assert math.isfinite(sample.each)
    assert sample.things == 1 if name == "matches" else 55 <= sample.things <= 60


@pytest.mark.parametrize("id", registry.VARIANTS)
def test_every_variant_is_measured(id: str) -> None:
    """Matches are played to their end, boards, ties and all."""
    variant = registry.variant(id)
    for measure in (suit_arena.moves, suit_arena.moves_and_boards):
        sample = mean(measure(registry.game(variant.game, variant.options), Random(1)), budget=0.0)

        assert sample
        assert sample.each > 0
        assert sample.things >= 1


def test_a_view_is_taken_of_the_same_playout() -> None:
    """The playout with views makes the very moves of the one without, so that their difference is the views."""
    played: list[int] = []

    def count(state: State, random: Callable[[], float]) -> None:
        played.append(suit_arena.play(state, random))

    _, moves = next(suit_arena.views(registry.game("suitability"), Random(1), count))

    assert played == [moves]


def test_the_mean_leaves_out_the_first_playout_and_stops_at_its_budget() -> None:
    """Seconds of all things by their number, and things by playouts."""
    assert mean(iter([(9.0, 1), (1.0, 4), (2.0, 2), (9.0, 9)]), budget=3.0) == Sample(0.5, 3.0)


def test_the_tables_are_there_where_nobody_else_is(tmp_path: Path) -> None:
    """Without opponents our columns are full, theirs are empty, and the first table says why."""
    about, beside, variants = engine.run(1, budget=0.0, installed=tmp_path)

    assert [row[0] for row in about.rows] == ["suit-arena", "open_spiel", "rlcard", "CPU"]
    assert [row[1] for row in about.rows[1:3]] == ["not installed", "not installed"]
    assert [row[0] for row in beside.rows] == [row.title for row in engine.ROWS]
    assert [row[0] for row in variants.rows] == list(registry.VARIANTS)
    for row in beside.rows:
        assert row[1] != NOTHING
        assert (*row[2:4], *row[5:]) == (NOTHING,) * 5


def test_an_opponent_that_dies_says_why(tmp_path: Path) -> None:
    """Its last words are in the table, and it is asked for nothing."""
    python = tmp_path / "rlcard/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho Traceback: >&2\necho 'ImportError: no cards' >&2\nexit 1\n")
    python.chmod(0o755)
    with other("rlcard", tmp_path) as side:
        assert side.about == "died: ImportError: no cards"
        assert side.measure(engine.ROWS[0].commands[2], 1, 0.0) is None


@pytest.mark.parametrize(
    ("target", "theirs", "told"),
    [
        (Ratio(1.25, speed=True), 1.25, ("1.25× speed", "≥ 1.25× speed", "yes")),
        (Ratio(1.25, speed=True), 1.2, ("1.20× speed", "≥ 1.25× speed", "no")),
        (Ratio(0.6), 2.0, ("0.50× time", "≤ 0.60× time", "yes")),
        (Ratio(0.6), 1.0, ("1.00× time", "≤ 0.60× time", "no")),
        (None, 4.0, ("0.25× time", NOTHING, NOTHING)),
    ],
)
def test_a_ratio_stands_beside_its_target(target: Ratio | None, theirs: float, told: tuple[str, ...]) -> None:
    """Speed is to be at least, time at most what the target says."""
    result = Result(Row("", (), target), [[Sample(1.0, 1)], [Sample(theirs, 1)]])

    assert (result.ratio(1), *result.reached()) == told


def test_a_ratio_is_the_median_of_rounds() -> None:
    """Each round is a ratio of its own: a machine that is slow for a while is slow for both."""
    mine, theirs = [1.0, 10.0, 100.0], [2.0, 20.0, 100.0]
    result = Result(Row("", ()), [[Sample(each, 1) for each in side] for side in (mine, theirs)])

    assert result.ratio(1) == "0.50× time"


def test_numbers_have_three_digits_and_a_unit() -> None:
    """Of the size that they have."""
    assert durations(9.876e-7, 1.0711e-6, 1.1e-6) == "1.07 µs (0.99–1.10)"
    assert durations(0.5, 71.2, 712.0) == "71.2 s (0.50–712)"
    assert rates(1 / 20000, 1 / 19040, 1 / 18000, "deals/s") == "19,040 deals/s (18,000–20,000)"


def test_a_table_is_aligned_markdown() -> None:
    """It reads in a terminal, and on a page."""
    table = Table("Title", "Notes.", ("", "speed"), [("move", "1")])

    assert str(table).splitlines() == [
        "## Title", "", "Notes.", "",
        "|      | speed |",
        "| ---- | ----- |",
        "| move | 1     |",
    ]  # fmt: skip


def test_the_runner_prints_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """All subjects unless some are named, with so many rounds."""
    shown = {name: lambda rounds, name=name: [Table(name, f"{rounds} rounds", (), [])] for name in ("one", "two")}
    for name, run in shown.items():
        monkeypatch.setitem(runner.SUBJECTS, name, run)
    for name in set(runner.SUBJECTS) - set(shown):
        monkeypatch.delitem(runner.SUBJECTS, name)

    done = CliRunner().invoke(runner.main, ["--rounds", "3"])

    assert done.exit_code == 0, done.output
    assert re.findall(r"## (\w+)\n\n(.*)\n", done.output) == [("one", "3 rounds"), ("two", "3 rounds")]


def test_the_page_has_the_rows_and_targets() -> None:
    """What the page says of the table is what the table shows."""
    section = PAGE.read_text().partition("## The engine\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|.*\| ([^|]+) \|$", section, re.MULTILINE)[2:]
    results = [Result(row, [[], []]) for row in engine.ROWS]

    assert rows == [(result.row.title, result.reached()[0]) for result in results]
    assert f"≤ {engine.OTHER_GAMES}" in PAGE.read_text()
