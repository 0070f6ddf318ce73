"""Remarks about legal actions, worked out by hand for each game."""

from collections.abc import Mapping
from typing import Any

import pytest

from arena.games import separate_suits, suit_yourself, suitability, suits_barnhart, suits_steere
from arena.games.base import Game
from arena.games.cards import RANKS
from arena.games.remarks import outlook
from arena.games.spanish import INDEX as SPANISH
from tests.games.high_card import HighCard


def said(rules: Game, view: Mapping[str, Any], token: str) -> str:
    """Return the remark about an action."""
    return rules.remark(view, token)


def test_games_need_no_remarks() -> None:
    """A game says nothing unless it has words for it."""
    assert HighCard().remark({}, "2C") == ""


@pytest.mark.parametrize(
    ("power", "before", "after", "remark"),
    [
        (3, [5], None, "Cannot win this trick."),
        (5, [5], [], "Cannot win this trick."),
        (5, [3], None, "Wins the trick for 2 points."),
        (5, [3], [1, 4], "Wins the trick for 2 points: no card still out beats it."),
        (5, [3], [6, 1], "The best card so far for 2 points, but not against 1 card still out."),
        (5, [], [6, 7], "Loses only to 2 cards still out."),
    ],
)
def test_outlook_compares_powers(power: int, before: list[int], after: list[int] | None, remark: str) -> None:
    """The first of equal powers wins."""
    assert outlook(power, before, after, 2) == remark


def test_outlook_leaves_out_points_that_depend_on_nothing() -> None:
    """A card that surely wins is remarked on without points if every trick counts the same."""
    assert outlook(5, [3], None) == "Wins the trick."


def of_suitability(hand: str, trick: str = "", players: int = 4, **more: Any) -> dict[str, Any]:
    """Return a view in play: spades are trump, hearts are penalty, clubs are reverse."""
    return {
        "phase": "play",
        "roles": {"trump": "S", "penalty": "H", "reverse": "C", "plain": "D"},
        "hand": hand.split(),
        "trick": trick.split(),
        "tricks": [],
        "exchange": None,
        "turn_up": None,
        "scores": [0] * players,
        **more,
    }


@pytest.mark.parametrize(
    ("hand", "trick", "token", "remark"),
    [
        ("AS KD", "", "AS", "Wins the trick: no card still out beats it."),
        ("AS KD", "", "KD", "Loses only to 13 cards still out."),
        ("KS 2C", "2D", "KS", "The best card so far, but not against 1 card still out."),
        ("KD 3D", "2D AD", "KD", "Cannot win this trick."),
        ("2H 3D", "2D AD", "2H", "Cannot win this trick, and adds a penalty card to it."),
        ("2C 3C", "4C 5C 6C", "3C", "Wins the trick without a penalty card."),
        ("2S", "4C 5H 6H", "2S", "Wins the trick with 2 penalty cards."),
        ("7H", "4H 5D 6D", "7H", "Wins the trick with 2 penalty cards."),
        ("4H", "3H 5D 6D", "4H", "Wins the trick with 2 penalty cards."),
        ("AH", "3D AS 6D", "AH", "Cannot win this trick, and adds a penalty card to it."),
    ],
)
def test_suitability_counts_higher_cards(hand: str, trick: str, token: str, remark: str) -> None:
    """The king of diamonds loses to its ace and to the twelve trumps of others."""
    assert said(suitability.Suitability(), of_suitability(hand, trick), token) == remark


def test_suitability_knows_led_jokers() -> None:
    """A joker that is led wins, and nothing wins against it."""
    rules = suitability.Suitability({"players": 5})

    assert said(rules, of_suitability("X1 AS", players=5), "X1") == "Wins the trick: a joker that is led always does."
    assert said(rules, of_suitability("AS", "X1", 5), "AS") == "Cannot win this trick."
    assert said(rules, {"phase": "privilege"}, "decline") == ""


def test_suitability_counts_no_card_that_left_the_play() -> None:
    """With three players the exchanged card is gone, or else the plain card that was turned up."""
    rules = suitability.Suitability({"players": 3})
    view = of_suitability("KD 2C", players=3)

    assert said(rules, view, "KD") == "Loses only to 11 cards still out."
    gone = {**view, "turn_up": "3S", "exchange": [1, "AD"]}
    assert said(rules, gone, "KD") == "Loses only to 10 cards still out."
    assert said(rules, {**view, "turn_up": "AD"}, "KD") == "Loses only to 10 cards still out."
    spent = [[0, "AD", "2D", "3D"], [0, "2S", "3S", "4S"]]
    assert said(rules, {**view, "tricks": spent}, "KD") == "Loses only to 7 cards still out."


@pytest.mark.parametrize(
    ("trick", "token", "remark"),
    [
        ("", "AS", ""),
        ("TH QH 2H", "9H", "Cannot win this trick."),
        ("JH JC TH", "QH", "Wins the trick: 1 club and 3 hearts."),
        ("JH", "QH", "The best card so far."),
        ("JH", "TH", "Cannot win this trick."),
        ("JH", "JC", "The best card so far; it makes clubs the trump suit."),
        ("JH", "2C", "Cannot win this trick."),
        ("JH", "TD", "Cannot win this trick."),
        ("JH", "QD", ""),
        ("JH JC", "9D", "Cannot win this trick."),
        ("4D 9H", "9S", "The best card so far; it makes spades the trump suit."),
        ("4D 9H", "5S", "The best card so far; it makes spades the trump suit."),
        ("4D AD", "9H", "Cannot win this trick."),
        ("4D 9H AS", "5H", "Cannot win this trick."),
        ("4D 9H 3S", "5H", "Cannot win this trick."),
    ],
)
def test_suit_yourself_climbs_the_ladder(trick: str, token: str, remark: str) -> None:
    """Rank counts first, so a card of a lower rank cannot win even if its suit gets a level."""
    view = {"phase": "play", "trick": trick.split()}

    assert said(suit_yourself.SuitYourself(), view, token) == remark


def test_suit_that_gets_its_level_without_the_lead() -> None:
    """The jack of spades makes spades supertrump, but a higher card may be beaten by a lower one of a later level."""
    view = {"phase": "play", "trick": ["QC", "QD"]}

    assert (
        said(suit_yourself.SuitYourself(), view, "QS") == "The best card so far; it makes spades the supertrump suit."
    )
    assert said(suit_yourself.SuitYourself(), {"phase": "play", "trick": ["2C", "AH"]}, "AD") == ""


def test_suit_yourself_says_what_bids_pay() -> None:
    """Nothing is certain about a card that is passed."""
    rules = suit_yourself.SuitYourself()

    assert said(rules, {"phase": "bid"}, "KS") == "Pays 10 points if nobody takes more spades than you."
    assert said(rules, {"phase": "second_bid"}, "2H") == "Pays 2 points if nobody takes more hearts than you."
    assert said(rules, {"phase": "pass"}, "2H") == ""


def of_steere(trick: str, others: str, *hand: str) -> dict[str, Any]:
    """Return a view in which the other seats hold these cards."""
    known = {*hand, *trick.split(), *others.split()}
    return {"hand": [*hand], "trick": trick.split(), "tricks": [[0, *(card for card in SPANISH if card not in known)]]}


@pytest.mark.parametrize(
    ("trick", "others", "token", "remark"),
    [
        ("", "AC", "KC", ""),
        ("KO 9E", "AC", "AC", "Wins the trick."),
        ("KC 9C", "AO", "AO", "Cannot win this trick."),
        ("4E", "9E KO", "KE", "Wins the trick, whatever follows."),
        ("4E", "KE 9E", "5E", "Cannot win this trick."),
        ("4E", "KE 2E 3E", "5E", "Wins against 2 of the 3 cards that may follow."),
    ],
)
def test_suits_by_mark_steere_compares_with_all_third_cards(trick: str, others: str, token: str, remark: str) -> None:
    """The second seat knows which cards may follow; the third knows whether it wins."""
    assert said(suits_steere.SuitsSteere(), of_steere(trick, others, token), token) == remark


def of_barnhart(trick: str, gone: str = "") -> dict[str, Any]:
    """Return a view of the first hand, in which seats 0 to 3 have hearts, diamonds, clubs and spades."""
    tricks = [[0, *gone.split()]] if gone else []
    return {"phase": "play", "trick": trick.split(), "tricks": tricks, "suits": [*"HDCS"], "leader": 0}


@pytest.mark.parametrize(
    ("trick", "gone", "token", "remark"),
    [
        ("", "", "AH", "Wins the trick for 1 point: no card still out beats it."),
        ("", "", "KH", "Loses only to 3 cards still out."),
        ("", "AD AC", "KH", "Loses only to 1 card still out."),
        ("2H 3D", "", "3C", "Cannot win this trick."),
        ("2H 3D", "", "QC", "The best card so far for 1 point, but not against 2 cards still out."),
        ("2H 3D 2C", "", "4S", "Wins the trick for 5 points."),
    ],
)
def test_suits_by_aaron_barnhart_knows_the_cards_of_every_suit(trick: str, gone: str, token: str, remark: str) -> None:
    """Low cards pay most; the seats that follow have the rest of their suits."""
    assert said(suits_barnhart.SuitsBarnhart(), of_barnhart(trick, gone), token) == remark


def test_order_of_cards_put_back_needs_no_remark() -> None:
    """Nothing is certain about an order."""
    assert said(suits_barnhart.SuitsBarnhart(), {"phase": "return"}, "2H,3H") == ""


def of_separate(*hands: str, seat: int = 0, last: int | None = None) -> dict[str, Any]:
    """Return a view with these ranks by seat; the first trick cancels."""
    return {
        "phase": "play", "seat": seat, "hands": [[*hand] for hand in hands], "cancelling": last is None,
        "last_winner": last,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("view", "token", "remark"),
    [
        (of_separate(RANKS, RANKS), "K", "The other player holds a higher card."),
        (of_separate(RANKS, RANKS, RANKS), "K", "Everybody else holds a higher card."),
        (of_separate(RANKS, RANKS, "23"), "K", "A higher card is held by 1 of the 2 others."),
        (of_separate("8", "23", "45"), "8", "Wins the trick: nobody else holds an eight or a higher card."),
        (of_separate("7", "23", "45"), "7", "Wins the trick: nobody else holds a seven or a higher card."),
        (of_separate("7", "27", "45"), "7", "Only another seven can stop it: nobody else holds a higher card."),
        (of_separate("7", "27", "45", last=1), "7", "Only another seven can stop it: nobody else holds a higher card."),
        (
            of_separate("7", "27", "45", last=2),
            "7",
            "Wins the trick: nobody else holds a higher card, and of equal ones yours comes first.",
        ),
        (of_separate("7", "9A", "45", last=2), "7", "Cannot win this trick."),
        (of_separate("7", "9A", "45"), "7", "A higher card is held by 1 of the 2 others."),
        ({"phase": "packet"}, "7", ""),
    ],
)
def test_separate_suits_looks_at_the_hands_of_others(view: dict[str, Any], token: str, remark: str) -> None:
    """Everybody knows the ranks that the others hold; who won last comes first among equal cards."""
    assert said(separate_suits.SeparateSuits(), view, token) == remark
