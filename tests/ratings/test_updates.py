"""Rating updates: a reproducible fold of results."""

from itertools import permutations

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import (
    BETA,
    MOST_PLACES,
    MU,
    PROVISIONAL_SIGMA,
    SIGMA,
    Change,
    Era,
    Parameters,
    Rating,
    Result,
    defaults,
    fold,
    fold_eras,
    parameters_at,
)

PLAIN = Parameters()
RESULTS = st.lists(
    st.tuples(st.permutations(range(6)), st.lists(st.integers(1, 4), min_size=4, max_size=4)), max_size=12
).map(lambda drawn: [Result(n, tuple(order[:4]), tuple(ranks), 4) for n, (order, ranks) in enumerate(drawn)])


def last(changes: list[Change]) -> dict[int, Rating]:
    """Return the ratings after all changes."""
    return {change.version: change.rating for change in changes}


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
@given(results=RESULTS)
def test_fold_is_reproducible(results: list[Result]) -> None:
    """A repeated fold, and one resumed from stored ratings, give the same bits."""
    whole = list(fold(results, PLAIN))
    first = list(fold(results[:5], PLAIN))
    rest = list(fold(results[5:], PLAIN, last(first)))

    assert list(fold(results, PLAIN)) == whole
    assert first + rest == whole


@given(results=RESULTS)
def test_tables_are_rated_with_parameters_of_their_era(results: list[Result]) -> None:
    """A fold over two eras equals two folds, the second resumed with the new parameters."""
    eras = [Era(0, PLAIN), Era(5, Parameters(SIGMA, 0.3))]
    first = list(fold(results[:5], PLAIN))

    assert list(fold_eras(results[5:], eras, last(first))) == list(fold(results[5:], eras[1].parameters, last(first)))
    assert list(fold_eras(results, eras)) == first + list(fold(results[5:], eras[1].parameters, last(first)))
    assert [parameters_at(eras, table) for table in (0, 4, 5, 99)] == [
        PLAIN,
        PLAIN,
        eras[1].parameters,
        eras[1].parameters,
    ]


@given(results=RESULTS)
def test_sigma_decreases_with_every_result(results: list[Result]) -> None:
    """Skills do not drift, so every result decreases sigma."""
    sigmas: dict[int, float] = {}
    for change in fold(results, PLAIN):
        assert change.rating.sigma < sigmas.get(change.version, SIGMA)
        sigmas[change.version] = change.rating.sigma


def test_rating_matches_trueskill_package() -> None:
    """A free-for-all with a tie is rated exactly as by calling trueskill directly."""
    env = trueskill.TrueSkill(MU, SIGMA, BETA, tau=0.0, draw_probability=0.05)
    expected = env.rate([(env.create_rating(),)] * 4, [2, 1, 2, 4])

    changes = list(fold([Result(7, (10, 11, 12, 13), (2, 1, 2, 4), 4)], PLAIN))

    assert [(change.rating.mu, change.rating.sigma) for change in changes] == [(r.mu, r.sigma) for (r,) in expected]
    assert [(change.version, change.rank) for change in changes] == [(10, 2), (11, 1), (12, 2), (13, 4)]


@pytest.mark.parametrize(
    "before",
    [[Rating()] * 3, [Rating()] * 4, [Rating(22, 3), Rating(25, 1.5), Rating(28, 5), Rating(25, 8)]],
)
def test_order_of_tied_bots_hardly_matters(before: list[Rating]) -> None:
    """A chain of ties compares its ends with one neighbour only, which changes ratings by thousandths."""
    found: list[list[Rating]] = [[] for _ in before]
    for order in permutations(range(len(before))):
        start = {place: before[bot] for place, bot in enumerate(order)}
        changes = fold([Result(1, tuple(start), (1,) * len(order), 4)], PLAIN, start)
        for bot, change in zip(order, changes, strict=True):
            found[bot].append(change.rating)

    for ratings in found:
        assert max(one.mu for one in ratings) - min(one.mu for one in ratings) < 0.006
        assert max(one.sigma for one in ratings) - min(one.sigma for one in ratings) < 0.004


def test_consistent_winners_are_rated_higher() -> None:
    """After ninety tables with the same order the ratings are in this order and no longer provisional."""
    ratings = last(list(fold([Result(n, (1, 2, 3, 4), (1, 2, 3, 4), 4) for n in range(90)], PLAIN)))

    assert sorted(ratings, key=lambda version: -ratings[version].mu) == [1, 2, 3, 4]
    assert not any(rating.provisional for rating in ratings.values())
    assert Rating().provisional
    assert Rating(25, PROVISIONAL_SIGMA + 0.01).provisional
    assert not Rating(25, PROVISIONAL_SIGMA).provisional


def test_conservative_rating_of_new_bot_is_zero() -> None:
    """The conservative rating, mu - 3 sigma, starts at zero."""
    assert Rating().conservative == pytest.approx(0.0)


def test_partners_are_rated_as_one_bot() -> None:
    """A partnership table rates two bots."""
    changes = list(fold([Result(1, (5, 6), (2, 1), 2)], defaults("suitability-4-partners")))

    assert changes[0].rating.mu < MU < changes[1].rating.mu


def test_largest_table_can_rate_upsets() -> None:
    """A settled field that is reversed, and then again with half of it new, causes no numerical failure."""
    places = tuple(range(MOST_PLACES))
    settled = last(list(fold([Result(n, places, places, 1) for n in range(30)], PLAIN)))
    half = {version: settled[version] for version in places[::2]}

    for start in (settled, half):
        changes = list(fold([Result(n, places, places[::-1], 1) for n in range(5)], PLAIN, start))
        assert all(change.rating.sigma > 0 for change in changes)
