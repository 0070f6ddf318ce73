"""Seatings."""

from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.seatings import ALL, BOTH, MODES, SEATINGS, SINGLE, by_place, count, seatings

ALONE = st.integers(1, 8).map(lambda seats: [[seat] for seat in range(seats)])
PARTNERS = st.integers(2, 4).map(lambda teams: [[team, team + teams] for team in range(teams)])


@given(teams=st.one_of(ALONE, PARTNERS))
def test_every_bot_holds_every_hand_once(teams: list[list[int]]) -> None:
    """Over all rotations each place sits in each seat exactly once."""
    made = list(seatings(teams))

    assert len(made) == len(teams)
    for at_seat in zip(*made, strict=True):
        assert sorted(at_seat) == list(range(len(teams)))


@given(teams=st.one_of(ALONE, PARTNERS))
def test_bot_fills_every_seat_of_its_team(teams: list[list[int]]) -> None:
    """Partners are the same bot, and no bot sits in two teams."""
    for seating in seatings(teams):
        assert sorted(by_place(seating, len(teams))) == sorted(sorted(team) for team in teams)


def test_first_seating_is_the_order_of_the_table() -> None:
    """The next ones rotate it seat by seat."""
    assert list(seatings([[0], [1], [2]])) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert list(seatings([[0, 2], [1, 3]])) == [(0, 1, 0, 1), (1, 0, 1, 0)]


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=20)
@given(teams=st.one_of(ALONE, PARTNERS).filter(lambda teams: 2 <= len(teams) <= 5))
def test_modes_start_with_the_order_of_the_table_and_do_not_repeat(teams: list[list[int]], mode: str) -> None:
    """The number of seatings is known in advance, and in each the places are the teams."""
    made = list(seatings(teams, mode))

    assert made[0] == next(seatings(teams))
    assert len(set(made)) == len(made) == count(teams, mode)
    for seating in made:
        assert sorted(by_place(seating, len(teams))) == sorted(sorted(team) for team in teams)


def test_all_orders_are_permutations() -> None:
    """Partners stay together."""
    assert list(seatings([[0], [1], [2]], ALL)) == list(permutations(range(3)))
    assert list(seatings([[0, 2], [1, 3]], ALL)) == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_single_seating_is_the_order_of_the_table() -> None:
    """The first bot has the first hand."""
    assert list(seatings([[0, 2], [1, 3]], SINGLE)) == [(0, 1, 0, 1)]


def test_both_orders_are_rotations_with_the_first_two_exchanged() -> None:
    """With two places the second rotation already exchanges them."""
    three = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]

    assert list(seatings([[0], [1], [2]], BOTH)) == [*three, (1, 0, 2), (0, 2, 1), (2, 1, 0)]
    assert list(seatings([[0], [1]], BOTH)) == [(0, 1), (1, 0)]
    assert list(seatings([[0, 2], [1, 3]], BOTH)) == [(0, 1, 0, 1), (1, 0, 1, 0)]


@given(teams=st.one_of(ALONE, PARTNERS).filter(lambda teams: len(teams) > 1))
def test_both_orders_mirror_each_other(teams: list[list[int]]) -> None:
    """The second half of the seatings is the first half with the two exchanged: same neighbours, same seats."""
    made = list(seatings(teams, BOTH))
    half = len(made) // 2

    assert len(made) == count(teams, BOTH)
    for one, other in zip(made[:half], made[half:], strict=True):
        assert [{0: 1, 1: 0}.get(place, place) for place in one] == list(other)


def test_seatings_are_counted_without_making_them() -> None:
    """Eight places have many orders."""
    eight = [[seat] for seat in range(8)]

    assert [count(eight, mode) for mode in SEATINGS] == [8, factorial(8), 1]
