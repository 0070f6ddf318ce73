"""The cage benchmark plays real bots, tolerates missing opponents, and compares each row with its side."""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from arena.games import registry
from benchmarks import sandbox
from benchmarks.results import NOTHING, Result
from benchmarks.sides import caged, plain
from benchmarks.sides.harness import Measure, Sample, mean

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"
SUITABILITY = registry.game("suitability", {"deals": 1})


@pytest.fixture(scope="module", autouse=True)
def cages() -> Iterator[None]:
    """Close the cages that the measurements open."""
    yield
    caged.cage(bare=False).close()
    caged.cage(bare=True).close()
    caged.cage.cache_clear()


def measured(measure: Measure) -> Sample | None:
    """Return the smallest possible measurement."""
    return mean(measure(SUITABILITY, Random(1)), budget=0.0)


@pytest.mark.parametrize("name", sorted(set(caged.MEASURES) - {"memory"}))
def test_every_measure_of_the_cage_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each measurement yields a positive figure, and no bot fails."""
    monkeypatch.setattr(caged, "ASKS", 3)
    sample = measured(caged.MEASURES[name])

    assert sample
    assert math.isfinite(sample.each)
    assert sample.each > 0


def test_time_of_processes_that_start_bots_is_counted() -> None:
    """Starting and stopping a bot takes CPU time of the processes that fork and reap it."""
    caged.started(SUITABILITY).close()  # the template of its seat
    zygote = caged.cage(bare=False).zygote.pid
    before = caged.starting(zygote)
    caged.started(SUITABILITY).close()

    assert caged.starting(zygote) > before


def test_private_memory_of_a_bot() -> None:
    """A bot has a few MiB of private memory; only root may read it."""
    sample = measured(caged.memory)

    assert sample is None or 0.1 < sample.each < 50


@pytest.mark.parametrize("name", plain.MEASURES)
def test_every_measure_beside_the_cage_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bare Python and the echo yield positive times."""
    monkeypatch.setattr(plain, "ASKS", 3)
    sample = measured(plain.MEASURES[name])

    assert sample
    assert sample.each > 0


def test_tables_without_installed_opponents(tmp_path: Path) -> None:
    """Our columns are filled, and those of missing opponents are empty."""
    about, bot, matches, others = sandbox.run(1, budget=0.0, installed=tmp_path)

    assert ("kaggle", "not installed") in about.rows
    assert [row[0] for row in bot.rows] == [each.title for each in (*sandbox.BOT, *sandbox.ALONE)]
    assert all(row[1] != NOTHING for row in (*bot.rows[:-2], *matches.rows, *others.rows))
    assert all(row[2:4] == (NOTHING, NOTHING) for row in others.rows)


def test_docs_list_rows_and_targets() -> None:
    """The page has the rows and targets of the tables in the same order."""
    section = PAGE.read_text().partition("## The cage\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|.*\| ([^|]+) \|$", section, re.MULTILINE)[2:]
    shown = [
        (each.title, Result(each.row(["suit-arena", each.side]), [[], []]).reached()[0])
        for each in (*sandbox.BOT, *sandbox.MATCHES, *sandbox.OTHERS)
        if each.title
    ]
    expected = [(title, "≥ 500 deals/s" if title == "bots ready in advance" else target) for title, target in shown]
    alone = [("private memory", NOTHING), ("request, all layers relative to none", f"≤ {sandbox.LAYERS}")]
    expected[len(sandbox.BOT) : len(sandbox.BOT)] = alone

    assert rows == expected
