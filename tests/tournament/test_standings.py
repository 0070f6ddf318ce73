"""Standings: match points and ranks."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.standings import half_points, most_half_points, opponents, ranks, total

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
def test_match_points_are_opponents_beaten_plus_half_of_those_tied(placed: list[int], points: list[int]) -> None:
    """A win is two half points and a tie is one."""
    assert half_points(placed) == points


@given(placed=RANKS)
def test_match_has_one_point_per_pair(placed: list[int]) -> None:
    """Ties do not change the total."""
    assert sum(half_points(placed)) == len(placed) * (len(placed) - 1)


@given(placed=RANKS)
def test_better_rank_has_more_points(placed: list[int]) -> None:
    """Equal ranks have equal points, and the maximum is never exceeded."""
    points = half_points(placed)

    for mine, my_points in zip(placed, points, strict=True):
        for other, their_points in zip(placed, points, strict=True):
            assert (mine < other) == (my_points > their_points)
    assert max(points) <= most_half_points(len(placed), 1)


@given(matches=st.lists(st.lists(st.integers(1, 3), min_size=3, max_size=3), max_size=5))
def test_table_adds_up_its_matches(matches: list[list[int]]) -> None:
    """Points are added up by place."""
    assert total(matches, 3) == [sum(half_points(match)[place] for match in matches) for place in range(3)]


@given(points=st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_ranks_start_at_one_and_are_shared(points: list[int]) -> None:
    """The rank after a tie is skipped: 1, 1, 3."""
    placed = ranks(points)

    assert placed == [sorted(points, reverse=True).index(mine) + 1 for mine in points]


def test_most_match_points_are_those_of_winning_every_match() -> None:
    """A win against each opponent in each match is two half points."""
    assert most_half_points(4, 3) == 18
    assert most_half_points(2, 1) == 2


def test_opponents_are_weighted_by_meetings() -> None:
    """Bots without opponents are left out."""
    shares = {0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(3, 4), 3: Fraction(1)}

    found = opponents(shares, {(0, 1): 2, (0, 2): 1})

    assert found == {0: Fraction(5, 12), 1: Fraction(1, 2), 2: Fraction(1, 2)}
