"""The benchmark of the cage: bots are really played, others may be missing, and the tables say what was found."""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from arena.games import registry
from benchmarks import sandbox
from benchmarks.child import Command
from benchmarks.duels import Result
from benchmarks.sides import caged, pipes, plain
from benchmarks.sides.measuring import Measure, Sample, mean, percentile
from benchmarks.sides.positions import asked, match, views
from benchmarks.table import NOTHING

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"
SUITABILITY = registry.game("suitability", {"deals": 1})


@pytest.fixture(scope="module", autouse=True)
def cages() -> Iterator[None]:
    """What the measurements open is closed."""
    yield
    caged.cage().close()
    caged.cage(bare=True).close()
    caged.cage.cache_clear()


def measured(measure: Measure) -> Sample | None:
    """As little as can be measured."""
    return mean(measure(SUITABILITY, Random(1)), budget=0.0)


@pytest.mark.parametrize("name", sorted(set(caged.MEASURES) - {"memory"}))
def test_the_cage_is_measured(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each measurement finds something, and no bot fails in it."""
    monkeypatch.setattr(caged, "ASKS", 3)
    sample = measured(caged.MEASURES[name])

    assert sample
    assert math.isfinite(sample.each)
    assert sample.each > 0


def test_the_memory_of_a_bot_is_measured_where_it_may_be_read() -> None:
    """A bot that shares nearly everything with the zygote has a few MiB to itself; an ordinary user is not told."""
    sample = measured(caged.memory)

    assert sample is None or 0.1 < sample.each < 50


@pytest.mark.parametrize(("side", "name"), [*((plain, name) for name in plain.MEASURES), (pipes, "matches")])
def test_what_is_beside_it_is_measured(side: object, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare Python, an echo, and processes with pipes."""
    monkeypatch.setattr(plain, "ASKS", 3)
    sample = measured(side.MEASURES[name])  # type: ignore[attr-defined]

    assert sample
    assert sample.each > 0


def test_an_echo_is_sent_as_much_as_a_bot() -> None:
    """The packet holds the whole view."""
    for view in views(SUITABILITY, Random(1)):
        assert len(plain.request(view)) > len(str(view)) / 2 > 100


def test_moves_are_those_that_bots_are_asked_for() -> None:
    """Not those that are forced: of 56 moves the last trick's, and others without a choice."""
    counted = 0

    class Counting(pipes.Piped):
        def ask(self, *arguments: object) -> None:
            nonlocal counted
            counted += 1
            super().ask(*arguments)  # type: ignore[arg-type]

    played = match(SUITABILITY, [Counting() for _ in range(4)], Random(1))

    assert asked(played.record) == counted < 52


def test_a_percentile_is_one_of_the_numbers() -> None:
    """Of 0 to 100 it is its own number."""
    assert [percentile(range(101), part) for part in (0.0, 0.5, 0.99, 1.0)] == [0, 50, 99, 100]


def test_the_tables_are_there_where_nobody_else_is(tmp_path: Path) -> None:
    """Our columns are full, and what is not installed has an empty one."""
    about, bot, matches, others, protection = sandbox.run(1, budget=0.0, installed=tmp_path)

    assert ("kaggle", "not installed") in about.rows
    assert [row[0] for row in bot.rows] == [each.title for each in (*sandbox.BOT, *sandbox.ALONE)]
    assert all(row[1] != NOTHING for row in (*bot.rows[:-2], *matches.rows, *others.rows))
    assert all(row[2:4] == (NOTHING, NOTHING) for row in others.rows[:2])
    assert all(row[3] != NOTHING for row in others.rows[2:])
    assert len(protection.rows) == 4


def test_a_number_that_is_quoted_says_so() -> None:
    """It stands in the table as if it were measured, and the first table tells."""
    side = sandbox.Quoted()

    assert side.measure(sandbox.quoted(2.0), 1, 0.0) == Sample(2.0, 1)
    assert side.measure(None, 1, 0.0) is None
    assert "not measured" in side.about


@pytest.mark.parametrize(("ratio", "told"), [(1.05, "yes"), (1.06, "no")])
def test_layers_may_cost_a_twentieth(ratio: float, told: str) -> None:
    """The median of the ratios counts."""
    row = sandbox.ALONE[1].row(["suit-arena"])

    assert sandbox.reached(Result(row, [[Sample(ratio, 1)] * 3])) == told


def test_hearts_are_played_with_the_legal_actions_told() -> None:
    """The agent takes the first of them, as our bot does."""
    assert Command("matches", "open_spiel_hearts", {"includeLegalActions": True}) == sandbox.HEARTS


def test_the_page_has_the_targets() -> None:
    """What the page says of the tables is what the tables show."""
    section = PAGE.read_text().partition("## The cage\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|.*\| ([^|]+) \|$", section, re.MULTILINE)[2:]
    shown = [
        (each.title, Result(each.row(["suit-arena", each.side]), [[], []]).reached()[0])
        for each in (*sandbox.BOT, *sandbox.MATCHES, *sandbox.OTHERS)
        if each.title
    ]
    expected = [(title, "≥ 500 deals/s" if title == "bots ready before" else target) for title, target in shown]
    alone = [("private memory", NOTHING), ("request, all layers by none", f"≤ {sandbox.LAYERS}")]
    expected[len(sandbox.BOT) : len(sandbox.BOT)] = alone

    assert rows == expected
