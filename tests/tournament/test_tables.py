"""Tables: who plays in which match, and what the matches come to."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.seatings import ALL, SEATINGS, SINGLE
from arena.tournament.tables import Duplicate, Solitaire, kind_of, success

SOLO = [[0]]
ALONE = st.integers(2, 5).map(lambda seats: [[seat] for seat in range(seats)])
PARTNERS = st.integers(2, 4).map(lambda teams: [[team, team + teams] for team in range(teams)])
RESULTS = st.tuples(st.sampled_from(["win", "draw", "loss"]), st.integers(0, 30), st.integers(0, 30))


def record(result: str, south: int, dummy: int) -> dict[str, Any]:
    """The record of a solitaire, as far as it is counted."""
    return {"result": result, "scores": [south], "dummy_scores": [0, dummy, 0], "ranks": [1]}


@pytest.mark.parametrize("mode", SEATINGS)
@settings(max_examples=30)
@given(teams=st.one_of(ALONE, PARTNERS, st.just(SOLO)), entries=st.integers(8, 12), sets=st.integers(1, 3))
def test_every_set_of_boards_is_played_by_every_place_equally_often(
    teams: list[list[int]], entries: int, sets: int, mode: str
) -> None:
    """Each place is in as many matches as is said, of each set in as many as of the others."""
    kind = kind_of(teams, entries, mode)
    matches = kind.matches(sets)

    for place in range(kind.places):
        own = [number for number, seating in matches if place in seating]
        assert len(own) == kind.own_matches(sets)
        assert [own.count(number) for number in range(sets)] == [len(own) // sets] * sets
    assert len(matches) == kind.count * sets


def test_a_duplicate_table_adds_up_its_matches() -> None:
    """The ranks of a seat count for whoever sat there; partners are one place."""
    three = Duplicate([[0], [1], [2]])
    pairs = Duplicate([[0, 2], [1, 3]])

    assert three.half_points([{"ranks": [1, 2, 3]}] * 3) == [6, 6, 6]
    assert three.half_points([{"ranks": [1, 2, 3]}, {"ranks": [3, 2, 1]}, {"ranks": [1, 1, 1]}]) == [10, 4, 4]
    assert three.half_points([{"ranks": [1, 2, 3]}, {"ranks": [2, 3, 1]}, {"ranks": [3, 1, 2]}]) == [12, 6, 0]
    assert pairs.half_points([{"ranks": [1, 2, 1, 2]}, {"ranks": [2, 1, 2, 1]}]) == [4, 0]
    assert pairs.most_half_points(1) == 4


def test_other_seatings_are_added_up_as_they_were_played() -> None:
    """Who wins every match has the most points that there are."""
    won_by_place_0 = [{"ranks": [1, 2, 2]}] * 2 + [{"ranks": [2, 1, 2]}, {"ranks": [2, 2, 1]}] * 2
    every = Duplicate([[0], [1], [2]], ALL)
    one = Duplicate([[0], [1], [2]], SINGLE)

    assert [seating.index(0) for seating in every.seatings()] == [0, 0, 1, 2, 1, 2]
    assert every.half_points(won_by_place_0) == [every.most_half_points(1), 6, 6] == [24, 6, 6]
    assert one.half_points([{"ranks": [1, 2, 3]}] * 3) == [one.most_half_points(3), 6, 0]


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        (("win", 25, 24), ("draw", 20, 20), [2, 0]),
        (("draw", 20, 20), ("loss", 24, 5), [2, 0]),
        (("win", 25, 10), ("win", 26, 19), [2, 0]),
        (("loss", 5, 20), ("loss", 4, 19), [1, 1]),
    ],
)
def test_who_plays_alone_is_compared_by_wins_then_draws_then_margin(
    first: tuple[str, int, int], second: tuple[str, int, int], points: list[int]
) -> None:
    """The margin is over the best dummy."""
    kind = kind_of(SOLO, 2)

    assert kind.half_points([record(*first), record(*second)]) == points
    assert kind.half_points([record(*second), record(*first)]) == points[::-1]


@given(results=st.lists(st.lists(RESULTS, min_size=4, max_size=4), min_size=1, max_size=4))
def test_a_solitaire_table_is_one_comparison_of_all_its_matches(results: list[list[tuple[str, int, int]]]) -> None:
    """However many sets of boards: a match point per pair, more for who was more successful."""
    kind = Solitaire(4)
    points = kind.half_points(record(*result) for board_set in results for result in board_set)
    reached = [success([record(*board_set[place]) for board_set in results]) for place in range(4)]

    assert sum(points) == 12
    assert max(points) <= kind.most_half_points(len(results)) == 6
    for mine, my_points in zip(reached, points, strict=True):
        for other, their_points in zip(reached, points, strict=True):
            assert (mine > other) == (my_points > their_points)


def test_nobody_plays_a_solitaire_table_alone() -> None:
    """It needs two bots, or there is nothing to compare."""
    assert [kind_of(SOLO, entries).places for entries in range(5)] == [2, 2, 2, 3, 4]
