"""Standings: match points and ranks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.standings import half_points, most_half_points, ranks, total

RANKS = st.lists(st.integers(1, 5), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("placed", "points"),
    [
        ([1, 2, 3, 4], [6, 4, 2, 0]),
        ([1, 1, 3, 4], [5, 5, 2, 0]),
        ([1, 1, 1, 1], [3, 3, 3, 3]),
        ([2, 1], [0, 2]),
        ([1], [0]),
    ],
)
def test_match_points_are_opponents_beaten_and_half_of_those_tied(placed: list[int], points: list[int]) -> None:
    """In halves: two for each beaten, one for each tied."""
    assert half_points(placed) == points


@given(placed=RANKS)
def test_a_match_hands_out_a_point_per_pair(placed: list[int]) -> None:
    """Whatever the ties."""
    assert sum(half_points(placed)) == len(placed) * (len(placed) - 1)


@given(placed=RANKS)
def test_a_better_rank_is_never_fewer_points(placed: list[int]) -> None:
    """And equal ranks are equal points; nobody has more than the most."""
    points = half_points(placed)

    for mine, my_points in zip(placed, points, strict=True):
        for other, their_points in zip(placed, points, strict=True):
            assert (mine < other) == (my_points > their_points)
    assert max(points) <= most_half_points(len(placed), 1)


@given(matches=st.lists(st.lists(st.integers(1, 3), min_size=3, max_size=3), max_size=5))
def test_a_table_adds_up_its_matches(matches: list[list[int]]) -> None:
    """Place by place."""
    assert total(matches, 3) == [sum(half_points(match)[place] for match in matches) for place in range(3)]


@given(points=st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_ranks_count_from_one_and_are_shared(points: list[int]) -> None:
    """1, 1, 3: the place after a tie is left out."""
    placed = ranks(points)

    assert placed == [sorted(points, reverse=True).index(mine) + 1 for mine in points]
