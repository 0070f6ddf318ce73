"""Suits by Mark Steere: words for a person at the table."""

import pytest

from tests.games.spoken import asked, labels, refused
from tests.games.test_suits_steere import started


@pytest.mark.parametrize(
    ("moves", "question"),
    [
        ("", "Lead any card to the first trick."),
        ("KO", "Play any card: {1} led the rey of coins."),
        ("KO AE", "Play any card: {1} led the rey of coins and {2} played the ace of swords."),
        ("KO AE NC", "You won the last trick: lead any card to the next."),
    ],
)
def test_players_know_the_cards_of_the_trick(moves: str, question: str) -> None:
    """Any card may be played."""
    assert asked(started(moves)) == question


def test_cards_have_their_spanish_names() -> None:
    """Suits have no signs."""
    state = started()

    assert labels(state, "KO", "7B") == ["Rey of coins", "Seven of clubs"]
    assert state.game.cards_of("KO") == ("KO",)
    assert refused(state, "NC") == "You do not hold the caballo of cups."
