"""The benchmark of folds in a database."""

from pathlib import Path

from arena.services.base.context import Arena
from arena.services.ratings import audit, fold
from benchmarks import folds

PAGE = Path(__file__).parents[2] / "docs/benchmarks.md"


def test_every_fold_is_timed(arena: Arena) -> None:
    """Each row has a time per round, and every result is rated in the end."""
    taken = folds.measure(arena, 1, (1, 2))

    assert list(taken) == ["a result", "a result, 2 open tournaments", folds.AFTER]
    assert all(len(times) == 1 and times[0] > 0 for times in taken.values())
    assert fold.unfinished(arena) == []
    assert audit.outdated(arena) == {}


def test_docs_list_rows() -> None:
    """The page has the rows of the table."""
    section = PAGE.read_text().partition("## Ratings in a database\n")[2].partition("\n## ")[0]

    assert folds.AFTER in section
    assert all(f"| a result, {count} open tournaments |" in section for count in folds.OPEN[1:])
