"""The benchmark of folds in a database."""

from arena.services.base.context import Arena
from arena.services.ratings import audit, fold
from benchmarks import folds


def test_every_fold_is_timed(arena: Arena) -> None:
    """Each row has a time per round, and every result is rated in the end."""
    taken = folds.measure(arena, 1, (1, 2))

    assert list(taken) == ["a result", "a result, 2 open tournaments", folds.AFTER]
    assert all(len(times) == 1 and times[0] > 0 for times in taken.values())
    assert fold.unfinished(arena) == []
    assert audit.outdated(arena) == {}
