"""What ratings predict."""

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
def test_the_quality_of_a_table_is_what_the_package_says(ratings: list[Rating], parameters: Parameters) -> None:
    """Which takes a determinant for it."""
    env = trueskill.TrueSkill(MU, SIGMA, parameters.beta, 0.0, parameters.draw_probability)
    expected = env.quality([(env.create_rating(*rating),) for rating in ratings])

    assert quality(ratings, parameters) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_eight_equals_make_a_better_table_than_eight_of_all_kinds() -> None:
    """And known ones a better one than new ones."""
    equals = quality([Rating(25, 1)] * 8, Parameters())

    assert equals > quality([Rating(25, 8)] * 8, Parameters())
    assert equals > quality([Rating(mu, 1) for mu in range(10, 50, 5)], Parameters())
    assert quality([Rating(25, 1e-9)] * 8, Parameters()) == pytest.approx(1.0)


@given(a=RATINGS, b=RATINGS, parameters=PARAMETERS)
@settings(max_examples=50)
def test_chances_are_chances(a: Rating, b: Rating, parameters: Parameters) -> None:
    """They sum to 1, and are those of the other one turned round; who is thought better wins more often."""
    mine, theirs = predict(a, b, parameters), predict(b, a, parameters)

    assert sum(mine) == pytest.approx(1.0)
    assert min(mine) >= -1e-12
    assert mine == pytest.approx(theirs[::-1])
    assert (mine.win - mine.loss) * (a.mu - b.mu) >= 0


def test_known_equals_tie_with_the_probability_of_a_draw() -> None:
    """Which is what that parameter says."""
    assert predict(Rating(25, 1e-9), Rating(25, 1e-9), Parameters(4, 0.3)) == pytest.approx((0.35, 0.3, 0.35))


def test_chances_come_true_as_often_as_they_say() -> None:
    """Of pairs of known skills, whose performances are drawn."""
    parameters, rng = Parameters(5, 0.2), Random(7)
    drawn = synthetic.results(rng, parameters, 4000, 2, bots=2)
    skills = synthetic.skills(Random(7), 2)
    wins = sum(result.ranks[result.versions.index(0)] < result.ranks[result.versions.index(1)] for result in drawn)

    chances = predict(Rating(skills[0], 1e-9), Rating(skills[1], 1e-9), parameters)

    assert 0.1 < chances.win < 0.9
    assert wins / 4000 == pytest.approx(chances.win, abs=0.03)


def test_a_surprise_is_what_was_thought_unlikely() -> None:
    """In nats; what was thought impossible stays finite."""
    chances = Chances(0.5, 0.5, 0.0)

    assert chances.surprise(1) == chances.surprise(0) == pytest.approx(0.693, abs=1e-3)
    assert 20 < chances.surprise(-1) < 21


def test_every_pair_of_a_table_is_predicted_from_what_came_before() -> None:
    """By the ratings that the fold has reached, with the outcome from the ranks."""
    results = [Result(1, (7, 8, 9), (1, 2, 2), 3), Result(2, (9, 7), (1, 2), 2)]
    after = {change.version: change.rating for change in fold(results[:1], Parameters())}

    first, second, third, last = forecasts(results, Parameters())

    assert [each.versions for each in (first, second, third, last)] == [(7, 8), (7, 9), (8, 9), (9, 7)]
    assert [each.outcome for each in (first, second, third, last)] == [1, 1, 0, 1]
    assert [each.experience for each in (first, second, third, last)] == [0, 0, 0, 1]
    assert first.chances == predict(Rating(), Rating(), Parameters())
    assert last.chances == predict(after[9], after[7], Parameters())
    assert (first.table, last.table) == (1, 2)
