"""Experience of a pair: the basis on which its outcomes count for estimates."""

from arena.ratings import Parameters, Result, estimate, forecasts
from arena.ratings.estimation import EXPERIENCE


def test_experience_is_that_of_the_less_experienced_bot() -> None:
    """A new bot makes a pair inexperienced, in either order."""
    results = [Result(1, (7, 8), (1, 2), 2), Result(2, (7, 9), (1, 2), 2), Result(3, (8, 7), (1, 2), 2)]

    assert [each.experience for each in forecasts(results, Parameters())] == [0, 0, 1]


def test_pairs_with_a_new_bot_do_not_count() -> None:
    """A bot with many tables does not make up for an opponent with none."""
    known = [Result(number, (1, 2), (1, 2), 2) for number in range(EXPERIENCE)]
    new = [Result(EXPERIENCE + number, (1, 10 + number), (1, 2), 2) for number in range(5)]

    assert estimate([*known, *new], Parameters(), 2).pairs == 0
