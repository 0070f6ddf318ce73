"""The queue benchmark reports its figures correctly."""

from benchmarks import queue


def test_bare_tables_are_played() -> None:
    """A separate process plays tables without queue and database."""
    played = queue.bare(1, 1)

    assert played.rate > 0
    assert played.cpu > 0


def test_tables_show_rates_and_ratios() -> None:
    """Rates and their ratios to the target are computed correctly."""
    speeds = queue.throughput(30, {1: 10.0, 2: 20.0}, {"SQLite": {1: 5.0, 2: 18.0}})

    assert speeds.head == ("", "without", "SQLite", "ratio", "target", "reached")
    assert list(speeds.rows) == [
        ("1 worker process", "10.0 tables/s", "5.00 tables/s", "0.50×", "≥ 0.9×", "no"),
        ("2 worker processes", "20.0 tables/s", "18.0 tables/s", "0.90×", "≥ 0.9×", "yes"),
        ("two relative to one", "2.00×", "–", "3.60×", "≥ 1.8×", "yes"),
    ]
