"""The benchmark of ratings: both sides do the same, and the table says what was found."""

from pathlib import Path
from random import Random

from arena.ratings import fold
from benchmarks import ratings
from benchmarks.table import NOTHING

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


def test_both_sides_come_to_the_same_ratings() -> None:
    """The package does the very work of the fold."""
    results = ratings.drawn(Random(1), 40)
    last = {change.version: change.rating for change in fold(results, ratings.PLAIN)}
    package = ratings.bare(results)

    assert [(package[bot][0].mu, package[bot][0].sigma) for bot in last] == [tuple(rating) for rating in last.values()]


def test_every_row_has_a_number() -> None:
    """And the first a target."""
    (table,) = ratings.run(1, tables=3)

    assert all(row[1] != NOTHING for row in table.rows)
    assert table.rows[0][4] == ratings.told()


def test_the_page_has_the_target() -> None:
    """As the table shows it."""
    assert ratings.told() in PAGE.read_text().partition("## Ratings\n")[2].partition("\n## ")[0]
