"""Separate Suits: words for a person at the table."""

import pytest

from arena.games.separate_suits import SeparateSuits, SeparateSuitsState
from tests.games.spoken import asked, labels, refused
from tests.games.test_separate_suits import play

PACKETS = "27 38 49 5T 6J 7Q"
"""The packet of seat 0 is 2 to 7, that of seat 1 is 7 to Q."""


def after(steps: str, split_hand: bool = False) -> SeparateSuitsState:
    """Return a match of two players after these steps."""
    state = SeparateSuits({"players": 2, "split_hand": split_hand}).start()
    play(state, steps)
    return state


@pytest.mark.parametrize(
    ("steps", "question"),
    [
        ("", "Choose a card: equal cards cancel, and the highest that is left wins."),
        ("99", "All cards have cancelled: choose a card that you have not tried in this trick."),
        ("2A", "Choose a card: the highest wins, and of equal ones the first clockwise, beginning with {1}."),
        ("A2", "Choose a card: the highest wins, and of equal ones the first clockwise, beginning with you."),
    ],
)
def test_rule_for_equal_cards_is_told(steps: str, question: str) -> None:
    """Equal ranks cancel in the first trick; in the others the last winner comes first."""
    assert asked(after(steps)) == question


def test_packet_is_set_aside_and_played() -> None:
    """Each question says which cards there are to choose from."""
    assert asked(after("27 38", split_hand=True)) == (
        "Set aside card 3 of 6: you play the first six tricks with these cards."
    )
    assert asked(after(PACKETS, split_hand=True)) == (
        "Choose a card of your packet: equal cards cancel, and the highest that is left wins."
    )
    assert asked(after(f"{PACKETS} 77", split_hand=True)) == (
        "All cards have cancelled: choose a card of your packet that you have not tried in this trick."
    )
    assert asked(after(f"{PACKETS} 27 38 49 5T 6J 7Q", split_hand=True)).startswith("Choose a card: the highest wins,")


def test_unusable_cards_are_refused() -> None:
    """The hand shows cards that were picked, tried, or kept for later tricks."""
    assert refused(after("27", split_hand=True), "2") == "The two is in your packet already."
    assert refused(after("99"), "9") == (
        "You have tried the nine in this trick: choose a card that you have not tried."
    )
    assert refused(after(PACKETS, split_hand=True), "K") == (
        "You play the first six tricks with your packet, and the king is not in it."
    )
    assert refused(after("A2"), "A") == "You do not hold the ace."
    assert refused(after("A"), "A", seat=0) == "You have chosen: wait for the others."
    assert refused(after(""), "A") == "The rules do not allow that now."


def test_buttons_show_ranks() -> None:
    """Cards have no suits."""
    assert labels(after(""), "T", "Q") == ["10", "Q"]
    assert labels(after("27", split_hand=True), "T") == ["Set aside 10"]
    assert after("").game.cards_of("T") == ("T",)
