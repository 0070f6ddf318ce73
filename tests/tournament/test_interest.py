"""Interest of matches for spectators."""

import pytest

from arena.tournament.interest import Player, Reason, closeness, interest, upset


def players(*scores: int) -> list[Player]:
    """Return players with these scores, the best first, without ratings."""
    return [Player(score, rank) for rank, score in enumerate(scores, 1)]


@pytest.mark.parametrize(
    ("scores", "expected"), [((100, 100), 1.0), ((100, 95, 20), 0.5), ((100, 90), 0.0), ((100, 10), 0.0), ((0, 0), 1.0)]
)
def test_closeness_falls_with_the_lead(scores: tuple[int, ...], expected: float) -> None:
    """A tenth of the largest score is no longer close; only the first two places matter."""
    assert closeness(players(*scores)) == pytest.approx(expected)


def test_shared_first_place_is_close_whatever_the_scores() -> None:
    """Games may break ties of scores, or rank equal what scores tell apart."""
    assert closeness([Player(40, 1), Player(90, 1), Player(10, 3)]) == 1.0


@pytest.mark.parametrize(
    ("won", "lost", "expected"),
    [(20.0, 24.0, 0.5), (20.0, 40.0, 1.0), (30.0, 20.0, 0.0), (None, 30.0, 0.0), (9.0, None, 0.0)],
)
def test_upset_grows_with_the_difference_of_ratings(won: float | None, lost: float | None, expected: float) -> None:
    """A stronger winner is no upset, and a bot without a rating neither makes nor suffers one."""
    assert upset([Player(9, 1, won), Player(1, 2, lost)]) == pytest.approx(expected)


def test_reason_is_the_part_that_weighs_most() -> None:
    """A new leader beats a close result, and a match without any reason is merely late."""
    close = players(100, 99)

    assert interest(close).reason is Reason.CLOSE
    assert interest([Player(100, 1, 10.0), Player(99, 2, 40.0)]).reason is Reason.UPSET
    assert interest(close, new_leader=True).reason is Reason.LEADER
    assert interest(close, new_leader=True).value > interest(close).value
    assert interest(players(100, 3)) == (0.0, Reason.LATEST)


def test_solitaire_has_no_interest() -> None:
    """One player neither beats nor loses to another."""
    assert interest(players(100)) == (0.0, Reason.LATEST)
