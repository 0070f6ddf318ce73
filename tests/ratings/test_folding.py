"""Ratings: a fold of results that anyone can repeat."""

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import BETA, MOST_PLACES, MU, SIGMA, Change, Parameters, Rating, Result, defaults, fold

PLAIN = Parameters()
RESULTS = st.lists(
    st.tuples(st.permutations(range(6)), st.lists(st.integers(1, 4), min_size=4, max_size=4)), max_size=12
).map(lambda drawn: [Result(n, tuple(order[:4]), tuple(ranks), 4) for n, (order, ranks) in enumerate(drawn)])


def last(changes: list[Change]) -> dict[int, Rating]:
    """Ratings after all changes."""
    return {change.version: change.rating for change in changes}


@given(results=RESULTS)
def test_the_same_results_give_the_same_bits(results: list[Result]) -> None:
    """Again, and also where the fold is interrupted and goes on from stored ratings."""
    whole = list(fold(results, PLAIN))
    first = list(fold(results[:5], PLAIN))
    rest = list(fold(results[5:], PLAIN, last(first)))

    assert list(fold(results, PLAIN)) == whole
    assert first + rest == whole


@given(results=RESULTS)
def test_every_result_makes_the_arena_surer(results: list[Result]) -> None:
    """Bots do not change, so a sigma only ever shrinks."""
    sigmas: dict[int, float] = {}
    for change in fold(results, PLAIN):
        assert change.rating.sigma < sigmas.get(change.version, SIGMA)
        sigmas[change.version] = change.rating.sigma


def test_one_result_is_what_the_package_says() -> None:
    """Free for all, with a tie, against trueskill asked directly."""
    env = trueskill.TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=0.05)
    expected = env.rate([(env.create_rating(),)] * 4, [2, 1, 2, 4])

    changes = list(fold([Result(7, (10, 11, 12, 13), (2, 1, 2, 4), 4)], PLAIN))

    assert [(change.rating.mu, change.rating.sigma) for change in changes] == [(r.mu, r.sigma) for (r,) in expected]
    assert [(change.version, change.rank) for change in changes] == [(10, 2), (11, 1), (12, 2), (13, 4)]


def test_who_wins_always_is_rated_higher_and_in_the_end_not_provisional() -> None:
    """Thirty tables of a fixed order of strength."""
    ratings = last(list(fold([Result(n, (1, 2, 3, 4), (1, 2, 3, 4), 4) for n in range(30)], PLAIN)))

    assert sorted(ratings, key=lambda version: -ratings[version].mu) == [1, 2, 3, 4]
    assert not any(rating.provisional for rating in ratings.values())
    assert Rating().provisional


def test_the_conservative_rating_of_a_newcomer_is_zero() -> None:
    """mu - 3 sigma."""
    assert Rating().conservative == pytest.approx(0.0)


def test_partners_are_rated_one_against_one() -> None:
    """A pair of partners is one bot."""
    changes = list(fold([Result(1, (5, 6), (2, 1), 2)], defaults("suitability-4-partners")))

    assert changes[0].rating.mu < MU < changes[1].rating.mu


def test_as_many_as_a_table_seats_can_be_rated_whatever_happens() -> None:
    """Where all is settled and then turned round, and again with half of them new, nothing leaves the floats."""
    places = tuple(range(MOST_PLACES))
    settled = last(list(fold([Result(n, places, places, 1) for n in range(30)], PLAIN)))
    half = {version: settled[version] for version in places[::2]}

    for start in (settled, half):
        changes = list(fold([Result(n, places, places[::-1], 1) for n in range(5)], PLAIN, start))
        assert all(change.rating.sigma > 0 for change in changes)
