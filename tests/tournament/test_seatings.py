"""Seatings: who sits where."""

from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.seatings import ALL, SEATINGS, SINGLE, by_place, count, rotations, seatings

ALONE = st.integers(1, 8).map(lambda seats: [[seat] for seat in range(seats)])
PARTNERS = st.integers(2, 4).map(lambda teams: [[team, team + teams] for team in range(teams)])


@given(teams=st.one_of(ALONE, PARTNERS))
def test_over_all_seatings_every_bot_holds_every_hand_once(teams: list[list[int]]) -> None:
    """Each place sits in each seat in exactly one of the matches."""
    seatings = list(rotations(teams))

    assert len(seatings) == len(teams)
    for at_seat in zip(*seatings, strict=True):
        assert sorted(at_seat) == list(range(len(teams)))


@given(teams=st.one_of(ALONE, PARTNERS))
def test_a_bot_fills_every_seat_of_its_team(teams: list[list[int]]) -> None:
    """Partners are the same bot, and nobody sits in two teams."""
    for seating in rotations(teams):
        assert sorted(by_place(seating, len(teams))) == sorted(sorted(team) for team in teams)


def test_the_first_seating_is_the_order_of_the_table() -> None:
    """And the next ones turn it seat by seat."""
    assert list(rotations([[0], [1], [2]])) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert list(rotations([[0, 2], [1, 3]])) == [(0, 1, 0, 1), (1, 0, 1, 0)]


@pytest.mark.parametrize("mode", SEATINGS)
@settings(max_examples=20)
@given(teams=st.one_of(ALONE, PARTNERS).filter(lambda teams: len(teams) <= 5))
def test_all_modes_begin_with_the_order_of_the_table_and_repeat_nothing(teams: list[list[int]], mode: str) -> None:
    """There are as many seatings as is said beforehand, and in each the places are the teams."""
    made = list(seatings(teams, mode))

    assert made[0] == next(rotations(teams))
    assert len(set(made)) == len(made) == count(teams, mode)
    for seating in made:
        assert sorted(by_place(seating, len(teams))) == sorted(sorted(team) for team in teams)


def test_all_orders_give_the_places_to_the_teams_in_every_way() -> None:
    """Partners stay together."""
    assert list(seatings([[0], [1], [2]], ALL)) == list(permutations(range(3)))
    assert list(seatings([[0, 2], [1, 3]], ALL)) == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_a_single_seating_is_the_order_of_the_table() -> None:
    """Whoever sits first has the first hand."""
    assert list(seatings([[0, 2], [1, 3]], SINGLE)) == [(0, 1, 0, 1)]


def test_how_many_seatings_there_are_is_told_without_making_them() -> None:
    """All orders of eight places are many."""
    eight = [[seat] for seat in range(8)]

    assert [count(eight, mode) for mode in SEATINGS] == [8, factorial(8), 1]
