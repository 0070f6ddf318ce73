"""Suits by Aaron Barnhart: words for a person at the table."""

from tests.games.spoken import asked, labels, refused
from tests.games.test_suits_barnhart import ONE, started


def test_each_seat_plays_its_suit() -> None:
    """Hearts lead; the others see which card wins so far, and what it is worth."""
    tops = "4H TD 3C QS"

    assert asked(started(tops)) == "Lead a heart."
    assert asked(started(tops, "4H")) == "Play a diamond: the four of hearts wins so far, for 5 points."
    assert asked(started(tops, "4H TD")) == "Play a club: the ten of diamonds wins so far, for 1 point."
    assert asked(started(tops, "4H TD 3C")) == "Play a spade: the ten of diamonds wins so far, for 1 point."


def test_equal_ranks_are_told_apart_by_suit() -> None:
    """Hearts beat diamonds."""
    assert asked(started("4H 4D", "4H 4D")) == "Play a club: the four of hearts wins so far, for 5 points."


def test_south_sees_the_dummies_cards() -> None:
    """With spades South is the last in the solitaire."""
    assert asked(started("9H TD JC QS", game=ONE, hand=1)) == (
        "Play a spade: the jack of clubs wins so far, for 1 point."
    )


def test_cards_are_put_back_in_an_order() -> None:
    """Each order is a button, and moves its cards."""
    state = started("9H TD JC QS", "9H TD JC QS")

    assert [asked(state, seat) for seat in (1, 2, 3)] == [
        f"Put your {number} cards back under your pile in any order: you will draw the first one first."
        for number in ("two", "three", "four")
    ]
    assert labels(state, "TD", "3D,2D", "4C,3C,2C", "2S,3S,TS,QS") == [
        "10♦", "Return 3 then 2", "Return 4, 3 then 2", "Return 2, 3, 10 then Q",
    ]  # fmt: skip
    assert state.game.cards_of("4C,3C,2C") == ("4C", "3C", "2C")


def test_cards_in_the_pile_cannot_be_played() -> None:
    """A player knows the cards that it put back."""
    state = started("9H TD JC QS", "9H TD JC QS 3D,2D 4C,3C,2C 5S,4S,3S,2S")

    assert refused(state, "2H") == "The two of hearts is in your pile until you draw it again."
    assert refused(state, "AH") == "You do not hold the ace of hearts."
    assert refused(state, "2D", seat=1) == "It is not your turn."
    assert refused(state, "3H,4H") == "The rules do not allow that now."
    assert refused(state, "3H") == "The rules do not allow that now."
