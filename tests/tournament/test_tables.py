"""Tables: their matches and match points."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.seatings import ALL, BOTH, MODES, SEATINGS, SINGLE
from arena.tournament.tables import Duplicate, Solitaire, kind_of, success

SOLO = [[0]]
ALONE = st.integers(2, 5).map(lambda seats: [[seat] for seat in range(seats)])
PARTNERS = st.integers(2, 4).map(lambda teams: [[team, team + teams] for team in range(teams)])
RESULTS = st.tuples(st.sampled_from(["win", "draw", "loss"]), st.integers(0, 30), st.integers(0, 30))


def record(result: str, south: int, dummy: int) -> dict[str, Any]:
    """Return the parts of a solitaire record that count."""
    return {"result": result, "scores": [south], "dummy_scores": [0, dummy, 0], "ranks": [1]}


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=30)
@given(teams=st.one_of(ALONE, PARTNERS, st.just(SOLO)), entries=st.integers(8, 12), sets=st.integers(1, 3))
def test_every_place_plays_every_set_of_boards_equally_often(
    teams: list[list[int]], entries: int, sets: int, mode: str
) -> None:
    """The number of matches of each place is known in advance, and equal for all sets."""
    kind = kind_of(teams, entries, mode)
    matches = kind.matches(sets)

    for place in range(kind.places):
        own = [number for number, seating in matches if place in seating]
        assert len(own) == kind.own_matches(sets)
        assert [own.count(number) for number in range(sets)] == [len(own) // sets] * sets
    assert len(matches) == kind.count * sets


def test_result_counts_matches_with_faults_by_place() -> None:
    """A bot with two faults in a match counts once there; seats belong to the places of the match's seating."""
    kind = Duplicate(((0,), (1,)))
    fair = {"ranks": [1, 2], "faults": [{"seat": 1}, {"seat": 1}]}

    assert [seating for _, seating in kind.matches(1)] == [(0, 1), (1, 0)]
    assert kind.result([fair, fair]) == [(2, 1, 1), (2, 1, 1)]
    assert kind.result([fair, {"ranks": [2, 1], "faults": [{"seat": 1}]}]) == [(4, 1, 1), (0, 2, 1)]


def test_duplicate_table_adds_up_its_matches() -> None:
    """The rank of a seat counts for the place that sat there; partners are one place."""
    three = Duplicate([[0], [1], [2]])
    pairs = Duplicate([[0, 2], [1, 3]])

    assert three.half_points([{"ranks": [1, 2, 3]}] * 3) == [6, 6, 6]
    assert three.half_points([{"ranks": [1, 2, 3]}, {"ranks": [3, 2, 1]}, {"ranks": [1, 1, 1]}]) == [10, 4, 4]
    assert three.half_points([{"ranks": [1, 2, 3]}, {"ranks": [2, 3, 1]}, {"ranks": [3, 1, 2]}]) == [12, 6, 0]
    assert pairs.half_points([{"ranks": [1, 2, 1, 2]}, {"ranks": [2, 1, 2, 1]}]) == [4, 0]
    assert pairs.most_half_points(1) == 4


def test_matches_are_added_up_by_their_seatings() -> None:
    """A place that wins every match has the maximum in every mode."""
    won_by_place_0 = [{"ranks": [1, 2, 2]}] * 2 + [{"ranks": [2, 1, 2]}, {"ranks": [2, 2, 1]}] * 2
    every = Duplicate([[0], [1], [2]], ALL)
    one = Duplicate([[0], [1], [2]], SINGLE)

    assert [seating.index(0) for seating in every.seatings()] == [0, 0, 1, 2, 1, 2]
    assert every.half_points(won_by_place_0) == [every.most_half_points(1), 6, 6] == [24, 6, 6]
    assert one.half_points([{"ranks": [1, 2, 3]}] * 3) == [one.most_half_points(3), 6, 0]


@pytest.mark.parametrize("mode", SEATINGS)
@given(teams=st.one_of(ALONE, PARTNERS, st.just(SOLO)), match=st.integers(0, 400))
def test_every_match_has_its_own_seeds(teams: list[list[int]], match: int, mode: str) -> None:
    """Only the second order of a comparison repeats seeds."""
    assert kind_of(teams, 3, mode).luck(match) == match


@given(teams=st.one_of(ALONE, PARTNERS, st.just(SOLO)), sets=st.integers(1, 3))
def test_both_orders_of_a_comparison_share_seeds(teams: list[list[int]], sets: int) -> None:
    """A match with the two exchanged has the boards and seeds of its counterpart."""
    kind = kind_of(teams, 2, BOTH)
    matches = kind.matches(sets)
    by_luck: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    for number, match in enumerate(matches):
        by_luck.setdefault(kind.luck(number), []).append(match)

    assert all(luck == kind.luck(luck) for luck in by_luck)
    for (one_set, one), (other_set, other) in by_luck.values():
        assert one_set == other_set
        assert [{0: 1, 1: 0}.get(place, place) for place in one] == list(other)


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        (("win", 25, 24), ("draw", 20, 20), [2, 0]),
        (("draw", 20, 20), ("loss", 24, 5), [2, 0]),
        (("win", 25, 10), ("win", 26, 19), [2, 0]),
        (("loss", 5, 20), ("loss", 4, 19), [1, 1]),
    ],
)
def test_solitaire_compares_wins_then_draws_then_margin(
    first: tuple[str, int, int], second: tuple[str, int, int], points: list[int]
) -> None:
    """The margin is relative to the best dummy."""
    kind = kind_of(SOLO, 2)

    assert kind.half_points([record(*first), record(*second)]) == points
    assert kind.half_points([record(*second), record(*first)]) == points[::-1]


@given(results=st.lists(st.lists(RESULTS, min_size=4, max_size=4), min_size=1, max_size=4))
def test_solitaire_table_is_one_comparison_of_all_its_matches(results: list[list[tuple[str, int, int]]]) -> None:
    """With any number of sets there is one match point per pair, for the more successful bot."""
    kind = Solitaire(4)
    points = kind.half_points(record(*result) for board_set in results for result in board_set)
    reached = [success([record(*board_set[place]) for board_set in results]) for place in range(4)]

    assert sum(points) == 12
    assert max(points) <= kind.most_half_points(len(results)) == 6
    for mine, my_points in zip(reached, points, strict=True):
        for other, their_points in zip(reached, points, strict=True):
            assert (mine > other) == (my_points > their_points)


def test_solitaire_table_has_two_bots_at_least() -> None:
    """With fewer there is nothing to compare."""
    assert [kind_of(SOLO, entries).places for entries in range(5)] == [2, 2, 2, 3, 4]
