"""Transversal designs, from which others are composed."""

from collections import Counter
from itertools import combinations

import pytest

from arena.tournament.designs.composed import most_groups, transversal


@pytest.mark.parametrize("size", [2, 4, 5, 9, 12, 15, 20])
def test_points_of_two_groups_share_one_block(size: int) -> None:
    """This holds for every possible number of groups."""
    for groups in range(2, most_groups(size) + 1):
        cells = list(transversal(groups, size))
        pairs = Counter(pair for cell in cells for pair in combinations(enumerate(cell), 2))

        assert len(cells) == size**2
        assert set(pairs.values()) == {1}
        assert len(pairs) == size**2 * groups * (groups - 1) // 2


def test_smallest_field_limits_the_number_of_groups() -> None:
    """Groups of one point are of no use."""
    assert [most_groups(size) for size in (1, 2, 6, 7, 8, 12)] == [0, 3, 3, 8, 9, 4]
