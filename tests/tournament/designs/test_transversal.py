"""Transversal designs."""

from collections import Counter
from itertools import combinations

import pytest

from arena.tournament.designs.transversal import most_groups, transversal


@pytest.mark.parametrize("size", [2, 4, 5, 9, 12, 15, 20])
def test_every_two_points_of_two_groups_are_in_one_block(size: int) -> None:
    """With as many groups as there can be, and with fewer."""
    for groups in range(2, most_groups(size) + 1):
        cells = list(transversal(groups, size))
        pairs = Counter(pair for cell in cells for pair in combinations(enumerate(cell), 2))

        assert len(cells) == size**2
        assert set(pairs.values()) == {1}
        assert len(pairs) == size**2 * groups * (groups - 1) // 2


def test_how_many_groups_there_can_be_follows_from_the_smallest_field() -> None:
    """Of one point each there is no use."""
    assert [most_groups(size) for size in (1, 2, 6, 7, 8, 12)] == [0, 3, 3, 8, 9, 4]
