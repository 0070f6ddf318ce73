"""Suits by Aaron Barnhart: views, samples and events."""

import json
import re
from collections import Counter
from itertools import permutations
from math import factorial
from random import Random
from typing import Any

from arena.games.events import Event
from arena.games.suits_barnhart import SuitsBarnhartState
from tests.games.test_suits_barnhart import FOUR, ONE, RANKS, TRICK, along, make, piles, seen, started
from tests.positions import finished, positions


def test_view_properties_agree_with_the_position() -> None:
    """Authors can read every part of the view as a property, in both phases."""
    state = started(moves=f"{TRICK} 4D,3D 3C,4C,5C 6S,3S,5S,4S 4H")
    view = seen(state, 1)

    assert (view.seat, view.phase, view.legal, view.chosen) == (1, "play", ["5D", "6D", "7D"], None)
    assert (view.drawn, view.pile) == (["5D", "6D", "7D"], [None] * 7 + ["4D", "3D"])
    assert (view.piles, view.suits, view.leader, view.deal) == ([10, 9, 8, 7], ["H", "D", "C", "S"], 0, 0)
    assert (view.trick, view.tricks) == (["4H"], [(0, ["2H", "2D", "2C", "2S"])])
    assert (view.points, view.scores) == ([5, 0, 0, 0], [5, 0, 0, 0])
    assert view.unplayed(0) == [rank + "H" for rank in "356789TJQKA"]
    assert view.trick[0].suit == view.unplayed(0)[0].suit == "H"


def test_seat_sees_no_cards_drawn_by_others() -> None:
    """Cards in piles are hidden, too, even in its own."""
    for state in along(FOUR, 7):
        for seat in range(4):
            view = seen(state, seat)
            shown = set(re.findall(r'"([2-9TJQKA][CDHS])"', json.dumps(state.view(seat))))
            played = {card for _, cards in view.tricks for card in cards} | set(view.trick)
            assert shown - played == {*view.drawn, *(card for card in view.pile if card)}


def flat(counts: Counter[Any], ways: int) -> bool:
    """Return whether all outcomes, of this number, occurred about equally often."""
    mean = counts.total() / ways
    return len(counts) == ways and all(abs(count - mean) < 5 * mean**0.5 for count in counts.values())


def late(seed: int, left: int) -> SuitsBarnhartState:
    """Return the first hand when hearts are to play and this number of cards of each suit is left."""
    return next(state for state in along(FOUR, seed, started()) if not state.waiting and len(state.tricks) == 13 - left)


def unseen(state: SuitsBarnhartState, seat: int) -> tuple[Any, ...]:
    """Return the hidden parts of another seat: drawn cards, and its pile."""
    line = state.lines[seat]
    return tuple(state.hands[seat]), line[len(line) - state.piles()[seat] :]


def test_every_consistent_position_is_equally_likely() -> None:
    """With four cards left hearts drew two of them and diamonds three, in any way; all clubs are drawn."""
    rng, state = Random(1), late(5, 4)
    samples = [FOUR.sample(state.view(2), rng) for _ in range(4800)]
    hearts, diamonds = seen(state, 2).unplayed(0), seen(state, 2).unplayed(1)

    assert flat(Counter((unseen(sample, 0), unseen(sample, 1)) for sample in samples), 12 * 4)
    assert {unseen(sample, 0) for sample in samples} == {
        (tuple(sorted(order[:2])), bytes(order[2:])) for order in permutations(map(FOUR.action, hearts))
    }
    assert {unseen(sample, 1)[1][0] for sample in samples} == set(map(FOUR.action, diamonds))
    assert {(unseen(sample, 2), unseen(sample, 3)) for sample in samples} == {(unseen(state, 2), unseen(state, 3))}


def test_own_undrawn_cards_are_in_any_order() -> None:
    """Undrawn cards lie above the cards that the owner put back, which keep their order."""
    rng, state = Random(1), late(5, 9)
    samples = [FOUR.sample(state.view(0), rng) for _ in range(1200)]
    known = seen(state, 0).pile

    assert known[:3] == [None] * 3
    assert flat(Counter(sample.lines[0][10:13] for sample in samples), factorial(3))
    assert {tuple(seen(sample, 0).pile) for sample in samples} == {tuple(known)}
    assert {sample.lines[0][13:] for sample in samples} == {state.lines[0][13:]}


def test_piles_of_dummies_are_in_any_order() -> None:
    """Flipped cards are gone."""
    state = started(" ".join(rank + suit for suit in "HDCS" for rank in reversed(RANKS)), game=ONE, hand=1)
    while len(state.tricks) < 11:
        state.apply(state.legal(0)[0])
    rng = Random(1)
    samples = [ONE.sample(state.view(0), rng) for _ in range(1200)]

    assert state.piles() == [0, 2, 2, 2]
    assert flat(Counter(tuple(sample.lines[dummy][11:] for dummy in (1, 2, 3)) for sample in samples), 8)


def test_only_the_seat_itself_has_chosen_in_a_sample() -> None:
    """A search can continue from any seat's view."""
    state = started(moves=f"{TRICK} 4D,3D 5C,3C,4C")

    three, two, one = (FOUR.sample(state.view(seat), Random(1)) for seat in (3, 2, 1))

    assert (three.actors(), two.actors(), one.actors()) == ((1, 2, 3), (1, 3), (2, 3))
    assert seen(one, 1).chosen == "4D,3D"
    make(one, f"{seen(one, 2).legal[0]} {seen(one, 3).legal[0]}")
    assert seen(one, 1).pile[-2:] == ["4D", "3D"]


def events_of(seed: int) -> list[Event]:
    """Return all events of a random match of four."""
    events: list[Event] = []
    assert all(state.seat >= 0 for state in positions(FOUR, seed, FOUR.start(events)))
    return events


def test_events_are_complete() -> None:
    """Piles are hidden from every seat; only its owner sees a card drawn and put back."""
    events = events_of(4)
    kinds = Counter(event.kind for event in events)

    assert kinds == {
        "deal": 4 * 5, "draw": 4 * 13 * 4, "play": 4 * 52, "trick": 4 * 13, "return": 4 * (12 * 4 + 11), "score": 4,
        "end": 1,
    }  # fmt: skip
    assert {event.kind: event.seen_by for event in events if event.seat in (None, 2)} == {
        "deal": (), "draw": (2,), "play": None, "trick": None, "return": (2,), "score": None, "end": None,
    }  # fmt: skip
    assert [event.step for event in events if event.kind == "deal"] == [True, False, False, False, False] * 4


def test_hand_begins_with_the_suits_of_the_seats() -> None:
    """An event of each trick counts the points."""
    deal = next(event for event in events_of(4) if event.facts.get("deal") == 2)
    trick = [event for event in events_of(4) if event.kind == "trick"][-1]

    assert deal.text == "Hand 2: {0} has spades, {1} has hearts, {2} has diamonds, {3} has clubs."
    assert deal.facts["suit"] == ["S", "H", "D", "C"]
    assert (deal.facts["points"], trick.facts["score"]) == ([0, 0, 0, 0], finished(FOUR, 4).scores())
    assert trick.target == f"won:{trick.seat}"


def test_orders_are_one_step() -> None:
    """Others do not see the cards that a seat puts back."""
    events: list[Event] = []
    state = FOUR.start(events)
    state.deal(FOUR.board_from_json(0, piles()))
    make(state, f"{TRICK} 4D,3D 5C,3C,4C 3S,4S,5S,6S")
    back = [event for event in events if event.kind == "return"]

    assert [(event.seat, event.text, event.step) for event in back] == [
        (None, "Everybody puts back what was not played.", True), (0, "{0} puts 1 card back.", False),
        (1, "{1} puts 2 cards back.", False), (2, "{2} puts 3 cards back.", False),
        (3, "{3} puts 4 cards back.", False),
    ]  # fmt: skip
    assert back[2].for_seat(1)["cards"] == ["4D", "3D"]
    assert "cards" not in back[2].for_seat(0)
