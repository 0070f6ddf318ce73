"""Suitability: words for a person at the table."""

import pytest

from tests.games.spoken import asked, labels, refused
from tests.games.test_suitability import CLUBS, DIAMONDS, FIVE, HEARTS, SPADES, four_suits, started

ROLES = "trump:S penalty:H reverse:C"
PRIVILEGES = "immunity (5 points a trick), warranty (25 points) or poverty (points for tricks below five)"


@pytest.mark.parametrize(
    ("moves", "question"),
    [
        ("", "Make clubs, diamonds, hearts or spades the trump, penalty or reverse suit."),
        ("trump:S", "Make clubs, diamonds or hearts the penalty or reverse suit: spades are trump."),
        (
            "reverse:C trump:S",
            "Make diamonds or hearts the penalty suit and the other one plain: spades are trump and clubs are reverse.",
        ),
        (ROLES, f"Claim {PRIVILEGES}, or decline."),
        (f"{ROLES} decline", "Lead any card to the first trick."),
        (f"{ROLES} decline QD", "Play any card: {1} led the queen of diamonds and you hold no diamonds."),
        (f"{ROLES} decline QD 2H 2S 2C", "You won the last trick: lead any card to the next."),
    ],
)
def test_each_phase_has_its_question(moves: str, question: str) -> None:
    """Seat 0 holds all clubs, 1 diamonds, 2 hearts, 3 spades; seat 0 deals."""
    assert asked(four_suits(moves)) == question


def test_suit_is_followed() -> None:
    """The question says who led, and the refusal why other suits are not allowed."""
    hands = [CLUBS, [*DIAMONDS[:12], "AH"], [*HEARTS[:12], "AD"], SPADES]
    state = started(hands, f"{ROLES} decline QD")

    assert asked(state) == "Follow diamonds: {1} led the queen."
    assert refused(state, "5H") == "You hold diamonds, so you must follow diamonds."
    assert refused(state, "5S") == "You do not hold the five of spades."


def test_second_claimant_knows_that_the_first_declined() -> None:
    """With five players the dealer may claim if the player to the right declines."""
    assert asked(started(FIVE, f"{ROLES} decline")) == f"Claim {PRIVILEGES}, or decline, as {{4}} did."


def test_jokers_need_not_follow() -> None:
    """Seat 0 holds two jokers and the two of diamonds."""
    hands = [row.copy() for row in FIVE]
    hands[0][2], hands[1][1] = hands[1][1], hands[0][2]
    state = started(hands, f"{ROLES} decline decline 3D 2H 2S QD")

    assert asked(state) == "Follow diamonds or play a joker: {1} led the three."
    assert refused(state, "3C") == "You hold diamonds, so you must follow diamonds or play a joker."


def test_joker_led_wins() -> None:
    """No suit must be followed."""
    state = started(FIVE, f"{ROLES} decline decline X3")

    assert asked(state) == "Play any card: {1} led a joker, which wins the trick."
    assert refused(state, "2H") == "The rules do not allow that now."


def test_cards_wait_for_nominations_and_claims() -> None:
    """The refusal says what comes before the first lead."""
    assert refused(four_suits(), "5D") == "No card is led before the suits have their roles."
    assert refused(four_suits(ROLES), "5C") == "No card is led before you claim a privilege or decline."


def test_buttons_name_roles_claims_and_cards() -> None:
    """Only cards are moved."""
    state = four_suits()
    tokens = ["trump:S", "penalty:D", "poverty", "decline", "QH", "X1"]

    assert labels(state, *tokens) == [
        "Spades trump", "Diamonds penalty", "Claim poverty", "Decline", "Q♥", "Joker 1",
    ]  # fmt: skip
    assert [state.game.cards_of(token) for token in tokens] == [(), (), (), (), ("QH",), ("X1",)]
