"""Suits by Aaron Barnhart, rule by rule."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from math import factorial
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.base import CHANCE, OVER
from arena.games.errors import BoardError, IllegalAction, OptionError
from arena.games.events import Event
from arena.games.rules import page
from arena.games.suits_barnhart import SuitsBarnhart, SuitsBarnhartState, SuitsBarnhartView, solitaire_result
from tests.playing import finished, position, positions

RANKS = "23456789TJQKA"
FOUR, ONE = SuitsBarnhart(), SuitsBarnhart({"players": 1})
SUITS = {"hearts": "H", "diamonds": "D", "clubs": "C", "spades": "S"}
DRAWN = {"H": 2, "D": 3, "C": 4, "S": 5}


def piles(tops: str = "") -> dict[str, Any]:
    """A board with these cards on top of their piles, the first of a suit topmost, and the others ascending."""
    first = {suit: [card for card in tops.split() if card[1] == suit] for suit in "HDCS"}
    return {"piles": {suit: top + [r + suit for r in RANKS if r + suit not in top] for suit, top in first.items()}}


def started(tops: str = "", moves: str = "", game: SuitsBarnhart = FOUR, hand: int = 0) -> SuitsBarnhartState:
    """A state in which the board of that hand (0 to 3) was dealt and these moves were made, by whoever was to move."""
    state = game.start()
    state.boards = hand
    state.deal(game.board_from_json(hand, piles(tops)))
    make(state, moves)
    return state


def make(state: SuitsBarnhartState, moves: str) -> None:
    """Make these moves, by whoever is to move."""
    for token in moves.split():
        state.move(state.seat, token)


def seen(state: SuitsBarnhartState, seat: int) -> SuitsBarnhartView:
    """The view of a seat, as a bot reads it."""
    return SuitsBarnhartView(json.loads(json.dumps(state.view(seat))))


def along(game: SuitsBarnhart, seed: int, start: SuitsBarnhartState | None = None) -> Iterator[SuitsBarnhartState]:
    """`positions` of this game."""
    return cast("Iterator[SuitsBarnhartState]", positions(game, seed, start))


def rows(pattern: str) -> list[tuple[str, ...]]:
    """The rows of a table on the rules page."""
    return re.findall(pattern, page("suits_barnhart"), re.MULTILINE)


# A hand


def test_every_seat_plays_every_suit_once() -> None:
    """The suits pass on clockwise after a hand, as the page says; hearts lead."""
    table = rows(r"^\| (\d) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \|$")

    assert len(table) == 4
    for number, *suits in table:
        state = started(hand=int(number) - 1)
        assert seen(state, 0).suits == [SUITS[suit] for suit in suits]
        assert state.seat == seen(state, 0).leader == suits.index("hearts")


@pytest.mark.parametrize("hand", range(4))
def test_hearts_draw_two_cards_and_spades_five(hand: int) -> None:
    """From the top of their piles, as the page says of each suit; they put back one card less."""
    state = started(hand=hand)
    table = rows(r"^\| (hearts|diamonds|clubs|spades) \| (\d) \| (\d) \| \d \|$")

    assert len(table) == 4
    for suit, draws, back in table:
        seat = seen(state, 0).suits.index(SUITS[suit])
        assert seen(state, seat).drawn == [rank + SUITS[suit] for rank in RANKS[: int(draws)]]
        assert int(back) == int(draws) - 1


@pytest.mark.parametrize(("suit", "trick"), rows(r"^\| (\w+) \| \d \| \d \| (\d) \|$"))
def test_cards_that_were_put_back_come_again(suit: str, trick: str) -> None:
    """In the trick that the page says, and not before it."""
    put_back: set[str] = set()
    tricks = []
    for state in along(FOUR, 1, started()):
        view = seen(state, "HDCS".index(SUITS[suit]))
        if state.boards == 1 and state.phase == "play" and not state.trick:
            tricks += [len(state.tricks) + 1] if put_back & {*view.drawn} else []
            put_back |= {card for card in view.pile if card}
        put_back |= {*view.drawn} if state.phase == "return" else set()

    assert tricks == list(range(int(trick), 14))


def test_all_that_is_left_is_drawn_where_a_pile_runs_short() -> None:
    """In the last tricks; the piles end together with the thirteenth."""
    for state in along(FOUR, 3, started()):
        if state.boards == 1 and not state.trick and state.phase == "play":
            left = 13 - len(state.tricks)
            assert [len(hand) for hand in state.hands] == [min(count, left) for count in DRAWN.values()]
            assert [len(hand) + size for hand, size in zip(state.hands, state.piles(), strict=True)] == [left] * 4


def test_hearts_diamonds_clubs_and_spades_play_in_turn() -> None:
    """Each sees the cards before its own."""
    state = started(hand=2)
    for seat, trick in ((2, []), (3, ["2H"]), (0, ["2H", "2D"]), (1, ["2H", "2D", "2C"])):
        assert (state.seat, state.actors(), seen(state, seat).trick) == (seat, (seat,), trick)
        state.apply(state.legal(seat)[0])


@pytest.mark.parametrize(
    ("cards", "suit", "points"),
    [(row[:4], row[4], row[5]) for row in rows(r"^\| (\w\w) \| (\w\w) \| (\w\w) \| (\w\w) \| (\w+) \| (\d) \|$")],
)
def test_the_worked_tricks_are_won_and_paid_as_the_page_says(cards: tuple[str, ...], suit: str, points: str) -> None:
    """The highest card wins, of equal ones the first suit; the winner's card is paid."""
    for hand in range(4):
        state = started(" ".join(cards), " ".join(cards), hand=hand)
        winner = seen(state, 0).suits.index(SUITS[suit])
        assert seen(state, 0).tricks == [(winner, list(cards))]
        assert seen(state, 0).points == state.scores() == [int(points) * (seat == winner) for seat in range(4)]


def test_the_page_pays_every_card() -> None:
    """The table of points, for all ranks and suits."""
    paid = dict(zip(RANKS, (5, 5, 5, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1), strict=True))
    text = {"10": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
    table = rows(r"^\| ([\w, ]+ or \w+) \| (\d) \|$")

    assert {text.get(rank, rank): int(points) for ranks, points in table for rank in re.split(", | or ", ranks)} == paid
    view = seen(started(), 0)
    assert all(view.worth(rank + suit) == points for rank, points in paid.items() for suit in "CDHS")


# Putting back


TRICK = "2H 2D 2C 2S"


def test_cards_go_back_after_the_trick_in_any_order() -> None:
    """Everybody with two or more chooses at once, in canonical order; a single heart goes back by itself."""
    state = started(moves=TRICK)

    assert (state.phase, state.actors()) == ("return", (1, 2, 3))
    assert seen(state, 1).legal == ["3D,4D", "4D,3D"]
    assert seen(state, 2).legal == ["3C,4C,5C", "3C,5C,4C", "4C,3C,5C", "4C,5C,3C", "5C,3C,4C", "5C,4C,3C"]
    assert len(seen(state, 3).legal) == len(set(seen(state, 3).legal)) == 24
    assert [seen(state, 3).legal[at] for at in (0, 1, 23)] == ["3S,4S,5S,6S", "3S,4S,6S,5S", "6S,5S,4S,3S"]
    assert (seen(state, 0).legal, seen(state, 0).drawn) == ([], ["3H"])


def test_choices_stay_secret_until_the_last_is_in() -> None:
    """Nobody's view changes, except that whoever has chosen sees its own choice and has no more to do."""
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


def test_the_owner_knows_what_it_put_back() -> None:
    """Unknown cards on top, then those it put back, first things first; then they are drawn in that order."""
    state = started(moves=f"{TRICK} 4D,3D 3C,4C,5C 6S,3S,5S,4S")

    assert seen(state, 0).pile == [None] * 9 + ["3H"]
    assert seen(state, 1).pile == [None] * 7 + ["4D", "3D"]
    assert seen(state, 3).pile == [None] * 3 + ["6S", "3S", "5S", "4S"]
    assert seen(state, 3).drawn == ["7S", "8S", "9S", "TS", "JS"]
    make(state, "4H 5D 6C 7S 6D,7D 7C,8C,9C JS,TS,9S,8S")
    assert seen(state, 3).drawn == ["3S", "6S", "QS", "KS", "AS"]
    assert seen(state, 3).pile == ["5S", "4S", "JS", "TS", "9S", "8S"]


def test_nothing_is_chosen_where_one_card_is_left() -> None:
    """Before the last trick every card goes back by itself, and after it there is none."""
    choices = Counter(len(state.tricks) for state in along(FOUR, 2) if state.phase == "return")

    assert choices == dict.fromkeys(range(1, 12), 3 * 4)


# Four players


def test_four_players_play_four_hands_whatever_their_points() -> None:
    """25 and 20 end nothing; the highest total wins and equal ones share."""
    state = started(moves="2H 2D 2C", hand=1)
    state.totals = [30, 24, 20, 19]
    state.apply(state.legal(state.seat)[0])
    assert state.phase == "return"

    state = started()
    state.totals = [30, 24, 20, 19]
    assert all(state.seat >= 0 for _ in along(FOUR, 1, state))
    assert (state.boards, state.seat, state.phase) == (4, OVER, "over")
    assert FOUR.ranks([20, 31, 20, 9]) == [2, 1, 2, 4]
    assert FOUR.extras(state, ()) == {}


def test_points_add_up_over_the_hands() -> None:
    """The view has those of the hand and those of all."""
    state = cast("SuitsBarnhartState", position(FOUR, 1, 200))
    view = seen(state, 0)

    assert view.deal == state.boards - 1 == 2
    assert sum(view.points) < sum(view.scores) == sum(state.scores())


# Solitaire


def test_dummies_flip_their_top_cards() -> None:
    """One each: those whose suits come first before South plays, the others after."""
    state = started("9H TD JC QS", game=ONE)
    assert (state.seat, seen(state, 0).trick, seen(state, 0).piles) == (0, [], [11, 13, 13, 13])
    state.move(0, "9H")
    assert seen(state, 0).tricks == [(3, ["9H", "TD", "JC", "QS"])]

    state = started("9H TD JC QS", game=ONE, hand=1)
    assert (state.seat, seen(state, 0).trick, seen(state, 0).piles) == (0, ["9H", "TD", "JC"], [8, 12, 12, 12])
    state.move(0, "QS")
    assert seen(state, 0).tricks == [(0, ["9H", "TD", "JC", "QS"])]
    assert (state.phase, state.actors(), len(seen(state, 0).legal)) == ("return", (0,), 24)

    state = started("9H TD JC QS", "TD", game=ONE, hand=3)
    assert (seen(state, 0).tricks, seen(state, 0).suits) == ([(2, ["9H", "TD", "JC", "QS"])], ["D", "C", "S", "H"])


def test_with_one_card_to_put_back_the_next_trick_begins_at_once() -> None:
    """South with hearts has nothing to choose but cards."""
    state = started("9H TD JC QS", "9H", game=ONE)

    assert (state.phase, seen(state, 0).drawn, seen(state, 0).pile[-1]) == ("play", ["3H", "4H"], "2H")


@pytest.mark.parametrize(
    ("before", "after", "result"),
    [
        ([24, 19, 19, 19], [25, 19, 19, 19], "win"),
        ([24, 15, 0, 0], [25, 15, 0, 0], "win"),
    ],
)
def test_south_wins_at_once_with_25_points(before: list[int], after: list[int], result: str) -> None:
    """In the middle of a hand, and nothing is put back."""
    state = started("9H TD JC QS", game=ONE, hand=1)
    state.totals = before
    state.move(0, "QS")

    assert (state.seat, state.phase, state.totals) == (OVER, "over", after)
    assert ONE.extras(state, ()) == {"result": result, "dummy_scores": after[1:]}
    assert (state.scores(), ONE.ranks(state.keys())) == (after[:1], [1])


@pytest.mark.parametrize("dummy", [1, 2, 3])
def test_south_loses_at_once_where_a_dummy_has_20_points(dummy: int) -> None:
    """However many South has."""
    cards = {1: "3H KD JC QS", 2: "3H TD AC QS", 3: "3H TD JC QS"}[dummy]
    state = started(cards, game=ONE)
    state.totals = [24, 18, 18, 18]
    state.totals[dummy] = 19
    state.move(0, "3H")

    assert (state.seat, state.totals[dummy]) == (OVER, 20)
    assert ONE.extras(state, ())["result"] == "loss"


def test_play_goes_on_below_25_and_20_points() -> None:
    """24 and 19 are not enough."""
    state = started("9H TD JC QS", game=ONE, hand=1)
    state.totals = [23, 19, 19, 19]
    state.move(0, "QS")

    assert (state.phase, state.totals) == ("return", [24, 19, 19, 19])


@pytest.mark.parametrize("row", rows(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| .* \| (\w+) \|$"))
def test_the_worked_results_of_the_solitaire_are_right(row: tuple[str, ...]) -> None:
    """As the page says."""
    assert solitaire_result([int(points) for points in row[:4]]) == row[4]


def test_after_four_hands_the_points_decide() -> None:
    """The end of a match that neither number ended."""
    results: Counter[str] = Counter()
    for seed in range(120):
        state = cast("SuitsBarnhartState", finished(ONE, seed))
        south, *others = state.totals
        expected = "win" if south > max(others) else "draw" if south == max(others) else "loss"
        if south < 25 and max(others) < 20:
            assert (state.boards, len(state.tricks)) == (4, 13)
            assert ONE.extras(state, ())["result"] == expected
            results[expected] += 1
    assert min(results[result] for result in ("win", "draw", "loss")) > 0


def test_a_fault_loses_the_solitaire() -> None:
    """Whatever the points; the place is the only one there is."""
    state = started(game=ONE)
    state.totals = [25, 0, 0, 0]

    assert ONE.extras(state, (0,))["result"] == "loss"
    assert ONE.ranks(state.keys(), (0,)) == [1]


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
        ({"piles": piles()["piles"] | {"X": []}}, "piles must be an object"),
        ({"piles": piles()["piles"] | {"D": "2D"}}, "the pile of D must have 13 cards"),
        ({"piles": piles()["piles"] | {"D": piles()["piles"]["D"][1:]}}, "the pile of D must have 13 cards"),
        ({"piles": piles()["piles"] | {"S": piles()["piles"]["D"]}}, "'2D' is not a card of this pack"),
        ({"piles": piles()["piles"] | {"H": [*piles()["piles"]["H"][:12], "2H"]}}, "'2H' is not a card of this pack"),
    ],
)
def test_boards_that_are_no_deal_are_refused(board: object, message: str) -> None:
    """Exactly thirteen cards of its own suit for every pile."""
    with pytest.raises(BoardError, match=message):
        FOUR.board_from_json(0, board)


@pytest.mark.parametrize("token", ["", "X1", "2D,", "2D,2D", "2D,3C", "2D,3D,4D,5D,6D", "2D, 3D", "X1,X2"])
def test_tokens_that_name_no_action_are_refused(token: str) -> None:
    """An order is of two to four different cards of one suit."""
    with pytest.raises(IllegalAction, match="is no action of suits_barnhart"):
        FOUR.action(token)


def test_actions_ascend_in_canonical_order() -> None:
    """Cards by suit and rank; orders card by card."""
    orders = [",".join(order) for order in permutations(["2C", "3C", "TC", "AC"])]
    cards = [rank + suit for suit in "CDHS" for rank in RANKS]

    for tokens in (orders, cards):
        actions = [FOUR.action(token) for token in tokens]
        assert actions == sorted(actions)
        assert [FOUR.token(action) for action in actions] == tokens


# Views


def test_the_view_names_everything_for_an_author() -> None:
    """Every property agrees with the position, in both phases."""
    state = started(moves=f"{TRICK} 4D,3D 3C,4C,5C 6S,3S,5S,4S 4H")
    view = seen(state, 1)

    assert (view.seat, view.phase, view.legal, view.chosen) == (1, "play", ["5D", "6D", "7D"], None)
    assert (view.drawn, view.pile) == (["5D", "6D", "7D"], [None] * 7 + ["4D", "3D"])
    assert (view.piles, view.suits, view.leader, view.deal) == ([10, 9, 8, 7], ["H", "D", "C", "S"], 0, 0)
    assert (view.trick, view.tricks) == (["4H"], [(0, ["2H", "2D", "2C", "2S"])])
    assert (view.points, view.scores) == ([5, 0, 0, 0], [5, 0, 0, 0])
    assert view.unplayed(0) == [rank + "H" for rank in "356789TJQKA"]
    assert view.trick[0].suit == view.unplayed(0)[0].suit == "H"


def test_a_seat_sees_no_card_that_others_drew() -> None:
    """Nor any that lies in a pile, its own included."""
    for state in along(FOUR, 7):
        for seat in range(4):
            view = seen(state, seat)
            shown = set(re.findall(r'"([2-9TJQKA][CDHS])"', json.dumps(state.view(seat))))
            played = {card for _, cards in view.tricks for card in cards} | set(view.trick)
            assert shown - played == {*view.drawn, *(card for card in view.pile if card)}


# Sampling


def flat(counts: Counter[Any], ways: int) -> bool:
    """Whether all of so many ways came up about equally often."""
    mean = counts.total() / ways
    return len(counts) == ways and all(abs(count - mean) < 5 * mean**0.5 for count in counts.values())


def late(seed: int, left: int) -> SuitsBarnhartState:
    """The first hand when hearts are to play and so many cards of each suit are left."""
    return next(state for state in along(FOUR, seed, started()) if not state.waiting and len(state.tricks) == 13 - left)


def unseen(state: SuitsBarnhartState, seat: int) -> tuple[Any, ...]:
    """What is hidden of another seat: drawn cards, and its pile."""
    line = state.lines[seat]
    return tuple(state.hands[seat]), line[len(line) - state.piles()[seat] :]


def test_every_position_that_a_seat_thinks_possible_is_equally_likely() -> None:
    """With four cards left: hearts drew two of them and diamonds three, in any way; all of the clubs are drawn."""
    rng, state = Random(1), late(5, 4)
    samples = [FOUR.sample(state.view(2), rng) for _ in range(4800)]
    hearts, diamonds = seen(state, 2).unplayed(0), seen(state, 2).unplayed(1)

    assert flat(Counter((unseen(sample, 0), unseen(sample, 1)) for sample in samples), 12 * 4)
    assert {unseen(sample, 0) for sample in samples} == {
        (tuple(sorted(order[:2])), bytes(order[2:])) for order in permutations(map(FOUR.action, hearts))
    }
    assert {unseen(sample, 1)[1][0] for sample in samples} == set(map(FOUR.action, diamonds))
    assert {(unseen(sample, 2), unseen(sample, 3)) for sample in samples} == {(unseen(state, 2), unseen(state, 3))}


def test_own_cards_that_were_never_drawn_are_in_any_order() -> None:
    """Above those that the owner put back, which stay where they are."""
    rng, state = Random(1), late(5, 9)
    samples = [FOUR.sample(state.view(0), rng) for _ in range(1200)]
    known = seen(state, 0).pile

    assert known[:3] == [None] * 3
    assert flat(Counter(sample.lines[0][10:13] for sample in samples), factorial(3))
    assert {tuple(seen(sample, 0).pile) for sample in samples} == {tuple(known)}
    assert {sample.lines[0][13:] for sample in samples} == {state.lines[0][13:]}


def test_the_piles_of_dummies_are_in_any_order() -> None:
    """Whatever was flipped is gone."""
    state = started(" ".join(rank + suit for suit in "HDCS" for rank in reversed(RANKS)), game=ONE, hand=1)
    while len(state.tricks) < 11:
        state.apply(state.legal(0)[0])
    rng = Random(1)
    samples = [ONE.sample(state.view(0), rng) for _ in range(1200)]

    assert state.piles() == [0, 2, 2, 2]
    assert flat(Counter(tuple(sample.lines[dummy][11:] for dummy in (1, 2, 3)) for sample in samples), 8)


def test_in_a_sample_nobody_has_chosen_but_the_seat_itself() -> None:
    """So that a search may go on from any seat's view."""
    state = started(moves=f"{TRICK} 4D,3D 5C,3C,4C")

    assert state.sample(3, Random(1)).actors() == (1, 2, 3)
    assert state.sample(2, Random(1)).actors() == (1, 3)
    sampled = state.sample(1, Random(1))
    assert (sampled.actors(), seen(sampled, 1).chosen) == ((2, 3), "4D,3D")  # type: ignore[arg-type]
    for _ in range(2):
        sampled.apply(sampled.legal(sampled.seat)[0])
    assert seen(sampled, 1).pile[-2:] == ["4D", "3D"]  # type: ignore[arg-type]


# Events


def told(game: SuitsBarnhart, seed: int) -> list[Event]:
    """All events of a random match."""
    events: list[Event] = []
    for _ in positions(game, seed, game.start(events)):
        pass
    return events


def test_events_tell_the_whole_story() -> None:
    """Piles are hidden from everybody; what is drawn and put back is seen by its owner."""
    events = told(FOUR, 4)
    kinds = Counter(event.kind for event in events)

    assert kinds == {
        "deal": 4 * 5, "draw": 4 * 13 * 4, "play": 4 * 52, "trick": 4 * 13, "return": 4 * 12 * 4, "score": 4, "end": 1,
    }  # fmt: skip
    assert {event.kind: event.seen_by for event in events if event.seat in (None, 2)} | {"play": None} == {
        "deal": (), "draw": (2,), "play": None, "trick": None, "return": (2,), "score": None, "end": None,
    }  # fmt: skip
    assert [event.step for event in events if event.kind == "deal"] == [True, False, False, False, False] * 4


def test_a_hand_begins_by_saying_who_has_which_suit() -> None:
    """And an event of each trick counts the points."""
    deal = next(event for event in told(FOUR, 4) if event.facts.get("deal") == 2)
    trick = [event for event in told(FOUR, 4) if event.kind == "trick"][-1]

    assert deal.text == "Hand 2: {0} has spades, {1} has hearts, {2} has diamonds, {3} has clubs."
    assert deal.facts["suit"] == ["S", "H", "D", "C"]
    assert (deal.facts["points"], trick.facts["score"]) == ([0, 0, 0, 0], finished(FOUR, 4).scores())
    assert trick.target == f"won:{trick.seat}"


def test_orders_are_told_as_one_step() -> None:
    """Those who chose first; others cannot tell the cards."""
    events: list[Event] = []
    state = FOUR.start(events)
    state.deal(FOUR.board_from_json(0, piles()))
    make(state, f"{TRICK} 4D,3D 5C,3C,4C 3S,4S,5S,6S")
    back = [event for event in events if event.kind == "return"]

    assert [(event.seat, event.text, event.step) for event in back] == [
        (1, "{1} puts 2 cards back.", True), (2, "{2} puts 3 cards back.", False),
        (3, "{3} puts 4 cards back.", False), (0, "{0} puts 1 card back.", False),
    ]  # fmt: skip
    assert back[0].for_seat(1)["cards"] == ["4D", "3D"]
    assert "cards" not in back[0].for_seat(0)


def test_the_solitaire_tells_of_its_dummies() -> None:
    """By name; South keeps the card that it wins with, and all others go."""
    events: list[Event] = []
    state = ONE.start(events)
    state.boards = 2
    state.deal(ONE.board_from_json(2, piles("9H TD QC JS")))
    state.totals = [24, 3, 2, 1]
    state.move(0, "QC")

    assert events[0].text == "Hand 3: {0} has clubs, West has spades, North has hearts, East has diamonds."
    assert [event.text for event in events if event.kind in ("flip", "play")] == [
        "North flips 9H.", "East flips TD.", "{0} plays QC.", "West flips JS.",
    ]  # fmt: skip
    tricks = [(event.cards, event.source, event.target) for event in events if event.kind == "trick"]
    assert tricks == [
        (("QC",), "table", "won:0"), (("JS",), "west", "discard"),
        (("9H",), "north", "discard"), (("TD",), "east", "discard"),
    ]  # fmt: skip
    trick = next(event for event in events if event.kind == "trick")
    assert (trick.text, trick.seat) == ("{0} wins the trick with QC: 1 point.", 0)
    assert trick.facts == {"points": [1], "score": [25], "west": 3, "north": 2, "east": 1}
    assert [event.text for event in events[-2:]] == [
        "Points after hand 3: {0} 25, West 3, North 2, East 1.",
        "{0} wins.",
    ]


def test_a_dummy_wins_nothing_but_points() -> None:
    """Its trick goes, South's card with it."""
    events: list[Event] = []
    state = ONE.start(events)
    state.deal(ONE.board_from_json(0, piles("9H TD QC JS")))
    state.move(0, "9H")
    trick = next(event for event in events if event.kind == "trick")

    assert (trick.text, trick.seat, trick.target) == ("North wins the trick with QC: 1 point.", None, "discard")
    assert trick.facts["north"] == 1


# Properties


@given(st.sampled_from([FOUR, ONE]), st.integers(0, 10**6))
def test_a_hand_pays_13_to_29_points(game: SuitsBarnhart, seed: int) -> None:
    """Every trick pays 1, 2 or 5; at most three of a hand can pay 5, and seven 2 or more."""
    view = seen(cast("SuitsBarnhartState", finished(game, seed)), 0)
    pays = [view.worth(cards[(winner - view.leader) % 4]) for winner, cards in view.tricks]

    assert sum(pays) == sum(view.points)
    assert set(pays) <= {1, 2, 5}
    assert pays.count(5) <= 3
    assert len(pays) - pays.count(1) <= 7
    assert len(pays) < 13 or 13 <= sum(pays) <= 29


@given(st.sampled_from([FOUR, ONE]), st.integers(0, 10**6))
def test_a_seat_chooses_from_what_it_drew(game: SuitsBarnhart, seed: int) -> None:
    """At most as many cards as its suit draws; an order is one of exactly the cards that were not played."""
    for state in along(game, seed):
        view = SuitsBarnhartView(state.view(state.seat))
        assert len(view.drawn) <= DRAWN[view.suits[view.seat]]
        if view.phase == "play":
            assert view.legal == view.drawn
        else:
            assert view.legal == [",".join(order) for order in permutations(view.drawn)]
            assert 2 <= len(view.drawn) < DRAWN[view.suits[view.seat]]


@given(st.integers(0, 10**6))
def test_a_new_hand_is_a_new_deal(seed: int) -> None:
    """Every suit is shuffled anew, and a match of four players takes four boards."""
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
