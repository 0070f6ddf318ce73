"""Number of tables that a rating still needs."""

from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import MOST_TABLES, SIGMA, tables_missing
from arena.ratings.precision import FIRST_TABLES


def test_precise_ratings_need_no_tables() -> None:
    """A sigma at the target or below needs no more tables."""
    assert tables_missing(2.0, 40, 2.0) == tables_missing(1.0, 1, 2.0) == 0
    assert tables_missing(2.01, 40, 2.0) > 0


def test_four_times_the_tables_halve_sigma() -> None:
    """From a precision that grew evenly, about three times as many tables follow as were played."""
    assert tables_missing(4.0, 10, 2.0) == 39
    assert tables_missing(2.0, 100, 1.0) == 319


def test_new_bots_need_some_tables() -> None:
    """A version without tables gets a few before its own results tell how many it needs."""
    assert tables_missing(SIGMA, 0, 2.0) == FIRST_TABLES


@given(sigma=st.floats(0.1, 2 * SIGMA), tables=st.integers(0, 2 * MOST_TABLES), target=st.floats(0.1, 8))
def test_need_ends_at_the_limit(sigma: float, tables: int, target: float) -> None:
    """Versions need tables exactly while they are imprecise, and never more than the limit in total."""
    missing = tables_missing(sigma, tables, target)

    assert bool(missing) == (sigma > target and tables < MOST_TABLES)
    assert not missing or tables + missing <= MOST_TABLES
