"""Orders of blocks."""

import pytest

from arena.tournament.designs.order import evenly, scattered


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0, []),
        (1, [0]),
        (2, [0, 1]),
        (3, [0, 2, 1]),
        (5, [0, 3, 1, 4, 2]),
        (6, [0, 5, 4, 3, 2, 1]),
        (7, [0, 4, 1, 5, 2, 6, 3]),
        (8, [0, 5, 2, 7, 4, 1, 6, 3]),
    ],
)
def test_numbers_are_scattered_in_golden_sections(size: int, expected: list[int]) -> None:
    """The step has no factor in common with the size, so every number comes once."""
    assert list(scattered(size)) == expected


@pytest.mark.parametrize(
    ("many", "others", "expected"),
    [("abcdef", "xyz", "abxcdyefz"), ("abc", "vwxyz", "avbwxcyz"), ("", "xyz", "xyz"), ("abc", "", "abc")],
)
def test_two_iterators_are_merged_evenly(many: str, others: str, expected: str) -> None:
    """Every prefix has its share of both."""
    assert "".join(evenly(iter(many), len(many), iter(others), len(others))) == expected
