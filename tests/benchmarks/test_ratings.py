"""The ratings benchmark compares two sides that do the same work."""

from pathlib import Path
from random import Random

from arena.ratings import fold
from benchmarks import ratings
from benchmarks.results import NOTHING

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


def test_fold_and_package_agree() -> None:
    """The package computes the same ratings as the fold, bit for bit."""
    results = ratings.random_results(Random(1), 40)
    last = {change.version: change.rating for change in fold(results, ratings.PLAIN)}
    package = ratings.bare(results)

    assert [(package[bot][0].mu, package[bot][0].sigma) for bot in last] == [tuple(rating) for rating in last.values()]


def test_run_measures_both_sides() -> None:
    """The row has figures for both sides and the target that the docs state."""
    (table,) = ratings.run(1, tables=3)

    assert NOTHING not in table.rows[0]
    assert table.rows[0][4] == ratings.target()
    assert ratings.target() in PAGE.read_text().partition("## Ratings\n")[2].partition("\n## ")[0]
