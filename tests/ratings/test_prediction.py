"""Predictions from ratings."""

from math import log
from random import Random

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings import MU, SIGMA, Chances, Parameters, Rating, Result, fold, forecasts, predict, quality
from tests.ratings import synthetic

RATINGS = st.builds(Rating, st.floats(0, 50), st.floats(0.3, SIGMA))
PARAMETERS = st.builds(Parameters, st.floats(1, 30), st.floats(0.005, 0.8))


@given(ratings=st.lists(RATINGS, min_size=2, max_size=5), parameters=PARAMETERS)
@settings(max_examples=50)
def test_quality_matches_trueskill_package(ratings: list[Rating], parameters: Parameters) -> None:
    """The closed form equals the determinants that trueskill computes."""
    env = trueskill.TrueSkill(MU, SIGMA, parameters.beta, 0.0, parameters.draw_probability)
    expected = env.quality([(env.create_rating(*rating),) for rating in ratings])

    assert quality(ratings, parameters) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_equal_and_certain_ratings_give_higher_quality() -> None:
    """Quality is higher for equals than for a mixed field, and for certain ratings than for new ones."""
    equals = quality([Rating(25, 1)] * 8, Parameters())

    assert equals > quality([Rating(25, 8)] * 8, Parameters())
    assert equals > quality([Rating(mu, 1) for mu in range(10, 50, 5)], Parameters())
    assert quality([Rating(25, 1e-9)] * 8, Parameters()) == pytest.approx(1.0)


@given(a=RATINGS, b=RATINGS, parameters=PARAMETERS)
@settings(max_examples=50)
def test_chances_are_consistent(a: Rating, b: Rating, parameters: Parameters) -> None:
    """Chances sum to 1, are mirrored for the opponent, and favour the higher mu."""
    mine, theirs = predict(a, b, parameters), predict(b, a, parameters)

    assert sum(mine) == pytest.approx(1.0)
    assert min(mine) >= -1e-12
    assert mine == pytest.approx(theirs[::-1])
    assert (mine.win - mine.loss) * (a.mu - b.mu) >= 0


def test_known_equals_tie_with_draw_probability() -> None:
    """Two bots of equal, certain skill tie with the draw probability."""
    assert predict(Rating(25, 1e-9), Rating(25, 1e-9), Parameters(4, 0.3)) == pytest.approx((0.35, 0.3, 0.35))


def test_chances_match_simulated_frequencies() -> None:
    """The share of wins between bots of known skills matches the predicted chance."""
    parameters, rng = Parameters(5, 0.2), Random(7)
    drawn = synthetic.results(rng, parameters, 4000, 2, bots=2)
    skills = synthetic.skills(Random(7), 2)
    wins = sum(result.ranks[result.versions.index(0)] < result.ranks[result.versions.index(1)] for result in drawn)

    chances = predict(Rating(skills[0], 1e-9), Rating(skills[1], 1e-9), parameters)

    assert 0.1 < chances.win < 0.9
    assert wins / 4000 == pytest.approx(chances.win, abs=0.03)


def test_surprise_is_negative_log_chance() -> None:
    """Surprise is in nats, and finite for outcomes with probability 0."""
    chances = Chances(0.5, 0.5, 0.0)

    assert chances.surprise(1) == chances.surprise(0) == pytest.approx(0.693, abs=1e-3)
    assert chances.surprise(-1) == -log(1e-9)


def test_pairs_are_predicted_from_earlier_tables() -> None:
    """Each prediction uses the ratings before the table, with the outcome from its ranks."""
    results = [Result(1, (7, 8, 9), (1, 2, 2), 3), Result(2, (9, 7), (1, 2), 2), Result(3, (7, 10), (2, 1), 2)]
    after = {change.version: change.rating for change in fold(results[:1], Parameters())}

    first, second, third, last, newcomer = forecasts(results, Parameters())

    assert [each.versions for each in (first, second, third, last)] == [(7, 8), (7, 9), (8, 9), (9, 7)]
    assert [each.outcome for each in (first, second, third, last)] == [1, 1, 0, 1]
    assert [each.experience for each in (first, second, third, last)] == [0, 0, 0, 1]
    assert first.chances == predict(Rating(), Rating(), Parameters())
    assert last.chances == predict(after[9], after[7], Parameters())
    assert (first.table, last.table) == (1, 2)
    assert (newcomer.outcome, newcomer.experience) == (-1, 0)  # experience of the one with fewer tables
