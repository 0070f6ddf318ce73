"""Suits by Aaron Barnhart, rule by rule."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.base import CHANCE, OVER
from arena.games.errors import BoardError, IllegalAction, OptionError
from arena.games.rules import page
from arena.games.suits_barnhart import SuitsBarnhart, SuitsBarnhartState, SuitsBarnhartView
from tests.positions import finished, position, positions

RANKS = "23456789TJQKA"
FOUR, ONE = SuitsBarnhart(), SuitsBarnhart({"players": 1})
SUITS = {"hearts": "H", "diamonds": "D", "clubs": "C", "spades": "S"}
DRAWN = {"H": 2, "D": 3, "C": 4, "S": 5}


def piles(tops: str = "") -> dict[str, Any]:
    """Return a board with these cards on top of their piles, the first of a suit topmost, the others ascending."""
    first = {suit: [card for card in tops.split() if card[1] == suit] for suit in "HDCS"}
    return {"piles": {suit: top + [r + suit for r in RANKS if r + suit not in top] for suit, top in first.items()}}


def started(tops: str = "", moves: str = "", game: SuitsBarnhart = FOUR, hand: int = 0) -> SuitsBarnhartState:
    """Return a state in which the board of that hand (0 to 3) was dealt and these moves were made."""
    state = game.start()
    state.boards = hand
    state.deal(game.board_from_json(hand, piles(tops)))
    make(state, moves)
    return state


def make(state: SuitsBarnhartState, moves: str) -> None:
    """Make these moves, each by the seat to move."""
    for token in moves.split():
        state.move(state.seat, token)


def seen(state: SuitsBarnhartState, seat: int) -> SuitsBarnhartView:
    """Return the view of a seat, as a bot reads it."""
    return SuitsBarnhartView(json.loads(json.dumps(state.view(seat))))


def along(game: SuitsBarnhart, seed: int, start: SuitsBarnhartState | None = None) -> Iterator[SuitsBarnhartState]:
    """Yield `positions` of this game."""
    return cast("Iterator[SuitsBarnhartState]", positions(game, seed, start))


def rows(pattern: str) -> list[tuple[str, ...]]:
    """Return the rows of a table on the rules page."""
    return re.findall(pattern, page("suits_barnhart"), re.MULTILINE)


# A hand


def test_every_seat_plays_every_suit_once() -> None:
    """The suits pass clockwise after a hand, as the page says; hearts lead."""
    table = rows(r"^\| (\d) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \|$")

    assert len(table) == 4
    for number, *suits in table:
        state = started(hand=int(number) - 1)
        assert seen(state, 0).suits == [SUITS[suit] for suit in suits]
        assert state.seat == seen(state, 0).leader == suits.index("hearts")


@pytest.mark.parametrize("hand", range(4))
def test_hearts_draw_two_cards_and_spades_five(hand: int) -> None:
    """Cards are drawn from the top of the pile, as the page says for each suit; one less is put back."""
    state = started(hand=hand)
    table = rows(r"^\| (hearts|diamonds|clubs|spades) \| (\d) \| (\d) \| \d \|$")

    assert len(table) == 4
    for suit, draws, back in table:
        seat = seen(state, 0).suits.index(SUITS[suit])
        assert seen(state, seat).drawn == [rank + SUITS[suit] for rank in RANKS[: int(draws)]]
        assert int(back) == int(draws) - 1


@pytest.mark.parametrize(("suit", "trick"), rows(r"^\| (\w+) \| \d \| \d \| (\d) \|$"))
def test_cards_put_back_are_drawn_again(suit: str, trick: str) -> None:
    """Cards return in the trick that the page gives, not earlier."""
    put_back: set[str] = set()
    tricks = []
    for state in along(FOUR, 1, started()):
        view = seen(state, "HDCS".index(SUITS[suit]))
        if state.boards == 1 and state.phase == "play" and not state.trick:
            tricks += [len(state.tricks) + 1] if put_back & {*view.drawn} else []
            put_back |= {card for card in view.pile if card}
        put_back |= {*view.drawn} if state.phase == "return" else set()

    assert tricks == list(range(int(trick), 14))


def test_short_pile_is_drawn_completely() -> None:
    """The last tricks draw the rest; the piles end together with the thirteenth."""
    for state in along(FOUR, 3, started()):
        if state.boards == 1 and not state.trick and state.phase == "play":
            left = 13 - len(state.tricks)
            assert [len(hand) for hand in state.hands] == [min(count, left) for count in DRAWN.values()]
            assert [len(hand) + size for hand, size in zip(state.hands, state.piles(), strict=True)] == [left] * 4


def test_order_of_play_is_hearts_diamonds_clubs_spades() -> None:
    """Each seat sees the cards played before its own."""
    state = started(hand=2)
    for seat, trick in ((2, []), (3, ["2H"]), (0, ["2H", "2D"]), (1, ["2H", "2D", "2C"])):
        assert (state.seat, state.actors(), seen(state, seat).trick) == (seat, (seat,), trick)
        state.apply(state.legal(seat)[0])


@pytest.mark.parametrize(
    ("cards", "suit", "points"),
    [(row[:4], row[4], row[5]) for row in rows(r"^\| (\w\w) \| (\w\w) \| (\w\w) \| (\w\w) \| (\w+) \| (\d) \|$")],
)
def test_worked_tricks_of_the_page_are_right(cards: tuple[str, ...], suit: str, points: str) -> None:
    """The highest card wins, of equal ones the first suit; the winner's card is paid."""
    for hand in range(4):
        state = started(" ".join(cards), " ".join(cards), hand=hand)
        winner = seen(state, 0).suits.index(SUITS[suit])
        assert seen(state, 0).tricks == [(winner, list(cards))]
        assert seen(state, 0).points == state.scores() == [int(points) * (seat == winner) for seat in range(4)]


def test_page_pays_every_card() -> None:
    """The table of points covers all ranks and suits."""
    paid = dict(zip(RANKS, (5, 5, 5, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1), strict=True))
    text = {"10": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
    table = rows(r"^\| ([\w, ]+ or \w+) \| (\d) \|$")

    assert {text.get(rank, rank): int(points) for ranks, points in table for rank in re.split(", | or ", ranks)} == paid
    view = seen(started(), 0)
    assert all(view.worth(rank + suit) == points for rank, points in paid.items() for suit in "CDHS")


# Putting back


TRICK = "2H 2D 2C 2S"


def test_cards_go_back_after_the_trick_in_any_order() -> None:
    """Seats with two or more choose simultaneously, in canonical order; a single heart goes back by itself."""
    state = started(moves=TRICK)

    assert (state.phase, state.actors()) == ("return", (1, 2, 3))
    assert seen(state, 1).legal == ["3D,4D", "4D,3D"]
    assert seen(state, 2).legal == ["3C,4C,5C", "3C,5C,4C", "4C,3C,5C", "4C,5C,3C", "5C,3C,4C", "5C,4C,3C"]
    assert len(seen(state, 3).legal) == len(set(seen(state, 3).legal)) == 24
    assert [seen(state, 3).legal[at] for at in (0, 1, 23)] == ["3S,4S,5S,6S", "3S,4S,6S,5S", "6S,5S,4S,3S"]
    assert (seen(state, 0).legal, seen(state, 0).drawn) == ([], ["3H"])


def test_choices_are_secret_until_the_last_is_in() -> None:
    """No view changes, except that a seat that has chosen sees its choice and has no legal actions."""
    state = started(moves=TRICK)
    before = [state.view(seat) for seat in range(4)]
    state.move(1, "4D,3D")

    assert state.actors() == (2, 3)
    assert state.view(1) == {**before[1], "legal": [], "chosen": "4D,3D"}
    assert [state.view(seat) for seat in (0, 2, 3)] == [before[seat] for seat in (0, 2, 3)]
    with pytest.raises(IllegalAction, match="seat 1 is not to move; seat 2 is"):
        state.move(1, "4D,3D")
    state.move(2, "3C,4C,5C")
    state.move(3, "6S,3S,5S,4S")
    assert (state.phase, state.seat, seen(state, 1).chosen) == ("play", 0, None)


def test_owner_knows_the_cards_put_back() -> None:
    """Its pile shows unknown cards on top, then those put back, which are drawn in that order."""
    state = started(moves=f"{TRICK} 4D,3D 3C,4C,5C 6S,3S,5S,4S")

    assert seen(state, 0).pile == [None] * 9 + ["3H"]
    assert seen(state, 1).pile == [None] * 7 + ["4D", "3D"]
    assert seen(state, 3).pile == [None] * 3 + ["6S", "3S", "5S", "4S"]
    assert seen(state, 3).drawn == ["7S", "8S", "9S", "TS", "JS"]
    make(state, "4H 5D 6C 7S 6D,7D 7C,8C,9C JS,TS,9S,8S")
    assert seen(state, 3).drawn == ["3S", "6S", "QS", "KS", "AS"]
    assert seen(state, 3).pile == ["5S", "4S", "JS", "TS", "9S", "8S"]


def test_no_choice_with_one_card_left() -> None:
    """Before the last trick every card goes back by itself, and after it there is none."""
    choices = Counter(len(state.tricks) for state in along(FOUR, 2) if state.phase == "return")

    assert choices == dict.fromkeys(range(1, 12), 3 * 4)


# Four players


def test_four_players_play_four_hands() -> None:
    """25 and 20 points do not end the match; the highest total wins, and equal totals share a place."""
    state = started(moves="2H 2D 2C", hand=1)
    state.totals = [30, 24, 20, 19]
    state.apply(state.legal(state.seat)[0])
    assert state.phase == "return"

    state = started()
    state.totals = [30, 24, 20, 19]
    assert all(state.seat >= 0 for _ in along(FOUR, 1, state))
    assert (state.boards, state.seat, state.phase) == (4, OVER, "over")
    assert FOUR.ranks([20, 31, 20, 9]) == [2, 1, 2, 4]
    assert state.extras(()) == {}


def test_points_add_up_over_the_hands() -> None:
    """The view has the points of the hand and the totals."""
    state = cast("SuitsBarnhartState", position(FOUR, 1, 200))
    view = seen(state, 0)

    assert view.deal == state.boards - 1 == 2
    assert sum(view.points) < sum(view.scores) == sum(state.scores())


# Options, boards, actions


@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": True}, {"players": 4.0}, {"players": None}, {"hands": 4}]
)
def test_only_one_or_four_can_play(options: dict[str, Any]) -> None:
    """There is no other option either."""
    with pytest.raises(OptionError, match=r"allowed: 4, or 1 for the solitaire|has no option 'hands'"):
        SuitsBarnhart(options)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (None, "piles must be an object with a list for each of H, D, C, S"),
        ({"piles": [[], [], [], []]}, "piles must be an object"),
        ({"piles": {"H": []}}, "piles must be an object"),
        ({"piles": piles()["piles"] | {"D": "2D"}}, "the pile of D must have 13 cards"),
        ({"piles": piles()["piles"] | {"D": piles()["piles"]["D"][1:]}}, "the pile of D must have 13 cards"),
        ({"piles": piles()["piles"] | {"S": piles()["piles"]["D"]}}, "'2D' is not a card of this pack"),
        ({"piles": piles()["piles"] | {"H": [*piles()["piles"]["H"][:12], "2H"]}}, "'2H' is not a card of this pack"),
    ],
)
def test_invalid_boards_are_refused(board: object, message: str) -> None:
    """Every pile must have exactly the thirteen cards of its suit."""
    with pytest.raises(BoardError, match=message):
        FOUR.board_from_json(0, board)


@pytest.mark.parametrize("token", ["", "X1", "2D,", "2D,2D", "2D,3C", "2D,3D,4D,5D,6D", "2D, 3D", "X1,X2"])
def test_invalid_tokens_are_refused(token: str) -> None:
    """An order consists of two to four different cards of one suit."""
    with pytest.raises(IllegalAction, match="is not an action of suits_barnhart"):
        FOUR.action(token)


def test_actions_ascend_in_canonical_order() -> None:
    """Cards ascend by suit and rank, orders card by card."""
    orders = [",".join(order) for order in permutations(["2C", "3C", "TC", "AC"])]
    cards = [rank + suit for suit in "CDHS" for rank in RANKS]

    for tokens in (orders, cards):
        actions = [FOUR.action(token) for token in tokens]
        assert actions == sorted(actions)
        assert [FOUR.token(action) for action in actions] == tokens


# Properties


@given(st.sampled_from([FOUR, ONE]), st.integers(0, 10**6))
def test_hand_pays_13_to_29_points(game: SuitsBarnhart, seed: int) -> None:
    """Every trick pays 1, 2 or 5; at most three of a hand pay 5, and seven 2 or more."""
    view = seen(cast("SuitsBarnhartState", finished(game, seed)), 0)
    pays = [view.worth(cards[(winner - view.leader) % 4]) for winner, cards in view.tricks]

    assert sum(pays) == sum(view.points)
    assert set(pays) <= {1, 2, 5}
    assert pays.count(5) <= 3
    assert len(pays) - pays.count(1) <= 7
    assert len(pays) < 13 or 13 <= sum(pays) <= 29


@given(st.sampled_from([FOUR, ONE]), st.integers(0, 10**6))
def test_seat_chooses_from_drawn_cards(game: SuitsBarnhart, seed: int) -> None:
    """A seat has at most the number of cards that its suit draws; an order has exactly the unplayed ones."""
    for state in along(game, seed):
        view = SuitsBarnhartView(state.view(state.seat))
        assert len(view.drawn) <= DRAWN[view.suits[view.seat]]
        if view.phase == "play":
            assert view.legal == view.drawn
        else:
            assert view.legal == [",".join(order) for order in permutations(view.drawn)]
            assert 2 <= len(view.drawn) < DRAWN[view.suits[view.seat]]


@given(st.integers(0, 10**6))
def test_new_hand_is_a_new_deal(seed: int) -> None:
    """Every suit is shuffled again, and a match of four players takes four boards."""
    state = FOUR.start()
    boards = []
    for _ in range(4):
        assert state.seat == CHANCE
        boards.append(FOUR.draw_board(state.boards, Random(f"{seed}/{state.boards}")))
        state.deal(boards[-1])
        while state.seat >= 0:
            state.apply(state.legal(state.seat)[0])
    assert len(set(boards)) == 4
    assert state.seat == OVER
