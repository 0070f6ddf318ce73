"""What two bots take from each other at a table."""

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.intervals import Sums
from arena.tournament.pairs import Pair, pairs, taken, turned
from arena.tournament.standings import total

MATCHES = st.integers(2, 5).flatmap(
    lambda places: st.lists(st.lists(st.integers(1, places), min_size=places, max_size=places), min_size=1, max_size=6)
)


def test_two_half_points_for_each_match_in_which_one_beats_the_other() -> None:
    """One where they tie; nothing where it is beaten."""
    matches = [{7: 1, 9: 2, 4: 2}, {7: 3, 9: 1, 4: 1}]

    assert list(pairs(matches, {7: 1, 9: 1, 4: 3})) == [Pair(4, 7, 2, 4), Pair(4, 9, 2, 4), Pair(7, 9, 2, 4)]


def test_only_matches_in_which_both_sat_compare_them() -> None:
    """Nothing was to be had in the others."""
    assert list(pairs([{7: 1, 9: 2}, {7: 2, 4: 1}], {7: 1, 9: 2})) == [Pair(7, 9, 2, 2)]


def test_who_plays_alone_is_compared_at_the_table_as_a_whole() -> None:
    """Its own matches have nobody to compare with."""
    alone = [{7: 1}, {9: 1}, {4: 1}]

    assert list(pairs(alone, {7: 1, 9: 2, 4: 2})) == [Pair(4, 7, 0, 2), Pair(4, 9, 1, 2), Pair(7, 9, 2, 2)]


@given(matches=MATCHES)
def test_what_a_bot_takes_from_all_are_its_match_points(matches: list[list[int]]) -> None:
    """As the standings count them."""
    places = len(matches[0])
    points = taken(pairs([dict(enumerate(ranks)) for ranks in matches], dict.fromkeys(range(places), 1)))

    assert [points[place][0] for place in range(places)] == total(matches, places)
    assert {n for _, n in points.values()} == {2 * (places - 1) * len(matches)}


@given(tables=st.lists(st.tuples(st.integers(0, 8), st.integers(8, 9)), max_size=5))
def test_sums_can_be_seen_from_the_other_side(tables: list[tuple[int, int]]) -> None:
    """As if they had been added up there."""
    other_side = Sums.of([(n - h, n) for h, n in tables])

    assert turned(Sums.of(tables)) == other_side
    assert turned(other_side) == Sums.of(tables)
