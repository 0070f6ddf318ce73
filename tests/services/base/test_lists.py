"""Long lists: pages and orders."""

import pytest

from arena.services.base.lists import SHOWN, cut, ordered


@pytest.mark.parametrize(("asked", "shown", "rows"), [(1, 1, SHOWN), (2, 2, 3), (0, 1, SHOWN), (99, 2, 3)])
def test_pages_out_of_range_are_the_first_or_last(asked: int, shown: int, rows: int) -> None:
    """A page number below 1 gives the first page, one beyond the end the last."""
    listed = cut(range(SHOWN + 3), asked)

    assert (listed.page, listed.pages, listed.total, len(listed.rows)) == (shown, 2, SHOWN + 3, rows)


def test_empty_list_has_one_page() -> None:
    """A list without rows is one empty page."""
    assert cut([], 3).pages == 1


@pytest.mark.parametrize(
    ("sort", "expected"), [("size", ["b", "aa", "cc"]), ("-size", ["aa", "cc", "b"]), ("", None), ("colour", None)]
)
def test_rows_are_ordered_by_a_known_key_only(sort: str, expected: list[str] | None) -> None:
    """A hyphen reverses an order; rows that are equal in it, and all rows in an unknown one, stay as they are."""
    rows = ["aa", "b", "cc"]

    assert ordered(rows, sort, {"size": len}) == (expected or rows)
