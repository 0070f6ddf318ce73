"""The benchmark of the queue: every step is timed, and the tables say what was found."""

import re
from pathlib import Path

from arena.services.context import Arena
from benchmarks import queue

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


def test_every_step_of_a_table_is_timed(arena: Arena) -> None:
    """In the cage, on both databases; the first table only warms up."""
    steps = queue.in_steps(arena, 2)

    assert set(steps) == set(queue.STEPS)
    assert all(len(times) == 1 and times[0] > 0 for times in steps.values())


def test_tables_are_played_without_queue_and_database() -> None:
    """By a process of its own."""
    assert queue.bare(1, 1) > 0


def test_the_tables_say_what_was_found() -> None:
    """Rates, what of them is left, and which part of a table each step takes."""
    speeds = queue.throughput(30, {1: 10.0, 2: 20.0}, {"SQLite": {1: 5.0, 2: 13.0}})
    costs = queue.costs({"SQLite": {step: [0.01] for step in queue.STEPS}}, {"SQLite": 0.002})

    assert speeds.head == ("", "without", "SQLite", "ratio", "target", "reached")
    assert list(speeds.rows) == [
        ("1 worker process", "10.0 tables/s", "5.00 tables/s", "0.50×", "≥ 0.6×", "no"),
        ("2 worker processes", "20.0 tables/s", "13.0 tables/s", "0.65×", "≥ 0.6×", "yes"),
        ("two beside one", "2.00×", "–", "2.60×", "≥ 1.8×", "yes"),
    ]
    assert costs.rows[0] == ("doorbell", "2.00 ms")
    assert costs.rows[1] == ("claim", "10.0 ms (10.0–10.0), 17%")


def test_the_page_has_the_rows() -> None:
    """What the page says of the tables is what they show."""
    section = PAGE.read_text().partition("## The queue\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|.*\| ([^|]+) \|$", section, re.MULTILINE)
    speeds = queue.throughput(30, {1: 1.0, 2: 1.0}, {"SQLite": {1: 1.0, 2: 1.0}})

    assert rows[2:5] == [(row[0], row[-2]) for row in speeds.rows]
    assert [row[0] for row in rows[7:]][: len(queue.STEPS) + 1] == ["doorbell", *queue.STEPS]
