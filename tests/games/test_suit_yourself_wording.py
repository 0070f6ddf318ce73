"""Suit Yourself: words for a person at the table."""

import pytest

from tests.games.spoken import asked, labels, refused
from tests.games.test_suit_yourself import ACES, KINGS, PASSES, play, playing, started

LEFT, ACROSS, RIGHT = (PASSES[start : start + 12] for start in (0, 12, 24))


@pytest.mark.parametrize(
    ("moves", "question"),
    [
        ("", "Lay a card face down as your first bid: it pays if nobody takes more cards of its suit than you."),
        (ACES, "Pass a card to {1}, on your left."),
        (f"{ACES} {LEFT}", "Pass a card to {2}, opposite you."),
        (f"{ACES} {LEFT} {ACROSS}", "Pass a card to {3}, on your right."),
        (f"{ACES} {PASSES}", "Lay a card face down as your second bid: your first is the ace of clubs."),
    ],
)
def test_each_step_before_play_has_its_question(moves: str, question: str) -> None:
    """Seat 0 is asked."""
    assert asked(started(moves)) == question


def test_two_of_clubs_leads() -> None:
    """Its owner, here seat 1, is told the reason; later leaders have won a trick."""
    state = started(f"{ACES} {PASSES} {KINGS}")
    assert (state.seat, asked(state)) == (1, "You have shown the two of clubs: lead any card to the first trick.")

    play(state, ["2C", "3C", "4C", "5C"])
    assert (state.seat, asked(state)) == (0, "You won the last trick: lead any card to the next.")


@pytest.mark.parametrize(
    ("played", "hand", "question", "refusal"),
    [
        (
            "QH", "2H 3C",
            "Follow hearts: {0} led the queen.",
            "You hold hearts, so you must follow hearts.",
        ),
        (
            "QH 3S", "2S 3D",
            "Play spades, the trump suit: {0} led the queen of hearts and you hold no hearts.",
            "You hold spades, the trump suit, and no hearts, so you must play spades.",
        ),
        (
            "QH 3S 4D", "2D 3C",
            "Play diamonds, the supertrump suit: {0} led the queen of hearts and you hold no hearts or spades.",
            "You hold diamonds, the supertrump suit, and no hearts or spades, so you must play diamonds.",
        ),
        (
            "QH 3S 4D", "2C",
            "Play any card: {0} led the queen of hearts and you hold no hearts, spades or diamonds.",
            "The rules do not allow that now.",
        ),
        (
            "QH", "2C 3D",
            "Play any card: {0} led the queen of hearts and you hold no hearts.",
            "The rules do not allow that now.",
        ),
    ],
)  # fmt: skip
def test_first_suit_on_the_ladder_is_played(played: str, hand: str, question: str, refusal: str) -> None:
    """The suit led comes before trump, trump before supertrump; the refusal is that of the hand's last card."""
    cards = played.split()
    state = playing([*cards, *[hand] * (4 - len(cards))])
    play(state, cards)

    assert asked(state) == question
    assert refused(state, hand.split()[-1]) == refusal


def test_bids_are_not_played() -> None:
    """Own bids lie on the table, but out of play; until all have bid they are only chosen."""
    state = started(f"{ACES} {PASSES} {KINGS}")

    assert refused(state, "AD") == refused(state, "KD") == "Your bids are out of play until the end of the round."
    assert refused(state, "AC") == "You do not hold the ace of clubs."
    assert refused(state, "AC", seat=0) == "It is not your turn."
    assert refused(started("AC"), "AC", seat=0) == "You have chosen: wait for the others."


def test_buttons_say_what_becomes_of_a_card() -> None:
    """Bids and passes have a verb."""
    assert labels(started(), "TC") == ["Bid 10♣"]
    assert labels(started(ACES), "TC") == ["Pass 10♣"]
    assert labels(started(f"{ACES} {PASSES}"), "TC") == ["Bid 10♣"]
    assert labels(started(f"{ACES} {PASSES} {KINGS}"), "TC") == ["10♣"]
