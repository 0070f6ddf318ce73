"""Points that two bots take from each other at a table."""

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.intervals import Sums
from arena.tournament.pairs import Pair, pairs, taken, turned
from arena.tournament.standings import total

MATCHES = st.integers(2, 5).flatmap(
    lambda places: st.lists(st.lists(st.integers(1, places), min_size=places, max_size=places), min_size=1, max_size=6)
)


def test_win_is_two_half_points() -> None:
    """A tie is one, and a loss none."""
    matches = [{7: 1, 9: 2, 4: 2}, {7: 3, 9: 1, 4: 1}]

    assert list(pairs(matches, {7: 1, 9: 1, 4: 3})) == [Pair(4, 7, 2, 4), Pair(4, 9, 2, 4), Pair(7, 9, 2, 4)]


def test_only_shared_matches_compare_two_bots() -> None:
    """Other matches add no possible points."""
    assert list(pairs([{7: 1, 9: 2}, {7: 2, 4: 1}], {7: 1, 9: 2})) == [Pair(7, 9, 2, 2)]
    scores = [{7: 5, 9: 1}, {7: 9, 4: 2}, {4: 3, 9: 8}]
    assert list(pairs([{7: 1, 9: 2}], {7: 1, 9: 2}, scores)) == [Pair(7, 9, 2, 2, 4)]


def test_solitaire_bots_are_compared_by_table() -> None:
    """Their own matches have no opponents."""
    alone = [{7: 1}, {9: 1}, {4: 1}]

    assert list(pairs(alone, {7: 1, 9: 2, 4: 2})) == [Pair(4, 7, 0, 2), Pair(4, 9, 1, 2), Pair(7, 9, 2, 2)]


@given(matches=MATCHES)
def test_points_taken_from_all_are_match_points(matches: list[list[int]]) -> None:
    """The standings count the same."""
    places = len(matches[0])
    points = taken(pairs([dict(enumerate(ranks)) for ranks in matches], dict.fromkeys(range(places), 1)))

    assert [points[place][0] for place in range(places)] == total(matches, places)
    assert {taken.n for taken in points.values()} == {2 * (places - 1) * len(matches)}


@given(tables=st.lists(st.tuples(st.integers(0, 8), st.integers(8, 9)), max_size=5))
def test_sums_can_be_turned_round(tables: list[tuple[int, int]]) -> None:
    """The result equals the sums computed from the other side."""
    other_side = Sums.of([(n - h, n) for h, n in tables])

    assert turned(Sums.of(tables)) == other_side
    assert turned(other_side) == Sums.of(tables)


def test_lead_is_the_difference_of_scores_in_shared_matches() -> None:
    """A bot's lead over all others is the sum of its leads over each of them."""
    ranks = [{4: 1, 7: 2}, {4: 2, 7: 1, 9: 3}]
    scores = [{4: 10, 7: 3}, {4: 5, 7: 6, 9: 1}]
    met = list(pairs(ranks, {4: 1, 7: 2, 9: 3}, scores))

    assert [pair.p for pair in met] == [6, 4, 5]
    assert {bot: each.p for bot, each in taken(met).items()} == {4: 10, 7: -1, 9: -9}
    assert Pair(4, 7, 2, 4).p == 0
