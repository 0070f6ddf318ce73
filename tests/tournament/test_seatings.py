"""Seatings: who sits where."""

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.seatings import by_place, rotations

ALONE = st.integers(1, 8).map(lambda seats: [[seat] for seat in range(seats)])
PARTNERS = st.integers(2, 4).map(lambda teams: [[team, team + teams] for team in range(teams)])


@given(teams=st.one_of(ALONE, PARTNERS))
def test_over_all_seatings_every_bot_holds_every_hand_once(teams: list[list[int]]) -> None:
    """Each place sits in each seat in exactly one of the matches."""
    seatings = list(rotations(teams))

    assert len(seatings) == len(teams)
    for at_seat in zip(*seatings, strict=True):
        assert sorted(at_seat) == list(range(len(teams)))


@given(teams=st.one_of(ALONE, PARTNERS))
def test_a_bot_fills_every_seat_of_its_team(teams: list[list[int]]) -> None:
    """Partners are the same bot, and nobody sits in two teams."""
    for seating in rotations(teams):
        assert sorted(by_place(seating, len(teams))) == sorted(sorted(team) for team in teams)


def test_the_first_seating_is_the_order_of_the_table() -> None:
    """And the next ones turn it seat by seat."""
    assert list(rotations([[0], [1], [2]])) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert list(rotations([[0, 2], [1, 3]])) == [(0, 1, 0, 1), (1, 0, 1, 0)]
