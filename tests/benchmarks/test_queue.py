"""The queue benchmark times every step and reports its figures correctly."""

import re
from pathlib import Path

from arena.services.base.context import Arena
from benchmarks import queue

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


def test_every_step_is_timed(arena: Arena) -> None:
    """Each step has a time on both databases; the first table is a warm-up."""
    steps = queue.time_steps(arena, 2)

    assert set(steps) == set(queue.STEPS)
    assert all(len(times) == 1 and times[0] > 0 for times in steps.values())


def test_bare_tables_are_played() -> None:
    """A separate process plays tables without queue and database."""
    played = queue.bare(1, 1)

    assert played.rate > 0
    assert played.cpu > 0


def test_tables_show_rates_ratios_and_shares() -> None:
    """Rates, their ratios to the target, and the share of each step are computed correctly."""
    speeds = queue.throughput(30, {1: 10.0, 2: 20.0}, {"SQLite": {1: 5.0, 2: 18.0}})
    costs = queue.costs({"SQLite": {step: [0.01] for step in queue.STEPS}}, {"SQLite": 0.002})

    assert speeds.head == ("", "without", "SQLite", "ratio", "target", "reached")
    assert list(speeds.rows) == [
        ("1 worker process", "10.0 tables/s", "5.00 tables/s", "0.50×", "≥ 0.9×", "no"),
        ("2 worker processes", "20.0 tables/s", "18.0 tables/s", "0.90×", "≥ 0.9×", "yes"),
        ("two relative to one", "2.00×", "–", "3.60×", "≥ 1.8×", "yes"),
    ]
    assert costs.rows[0] == ("doorbell", "2.00 ms")
    assert costs.rows[1] == ("claim", "10.0 ms (10.0–10.0), 17%")


def test_docs_list_rows() -> None:
    """The page has the rows of both tables in the same order."""
    section = PAGE.read_text().partition("## The queue\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|.*\| ([^|]+) \|$", section, re.MULTILINE)
    alone = dict.fromkeys(queue.PROCESSES, 1.0)
    speeds = queue.throughput(30, alone, {"SQLite": alone})

    assert rows[2:6] == [(row[0], row[-2]) for row in speeds.rows]
    assert [row[0] for row in rows[8:]][: len(queue.STEPS) + 1] == ["doorbell", *queue.STEPS]
