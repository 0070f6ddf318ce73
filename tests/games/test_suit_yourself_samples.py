"""Suit Yourself: samples of states consistent with a view."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest

from arena.games.base import State
from arena.games.cards import CARDS
from arena.games.suit_yourself import SuitYourself, SuitYourselfState
from tests.games.test_suit_yourself import playing
from tests.positions import position, positions

pytestmark = pytest.mark.no_cover  # the contract tests run the same lines; coverage makes this three times as slow

GAME = SuitYourself({"target": 1})
LAST_TRICK = 20 + 40


def seen(state: State, seat: int) -> Any:
    """Return a view as it is sent."""
    return json.loads(json.dumps(state.view(seat)))


def drawn(state: State, seat: int, times: int, seed: int = 1) -> Iterator[SuitYourselfState]:
    """Return this number of samples for a seat."""
    rng, view = Random(seed), seen(state, seat)
    for _ in range(times):
        yield GAME.sample(view, rng)


def test_samples_never_contradict_shown_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every move that led to the view is legal in the sampled round."""
    apply = SuitYourselfState.apply

    def checked(state: SuitYourselfState, action: int) -> None:
        assert action in state.legal(state.seat)
        apply(state, action)

    monkeypatch.setattr(SuitYourselfState, "apply", checked)
    for seed in range(8):
        for state in positions(GAME, seed):
            for seat in range(4):
                assert all(seen(one, seat) == seen(state, seat) for one in drawn(state, seat, 2))


Place = tuple[int, int]
"""(0, seat) is the last card in the hand of a seat, (1, seat) its first bid, (2, seat) its second."""


def hidden(state: SuitYourselfState, seat: int) -> dict[Place, str]:
    """Return the current places in the last trick of cards that a seat has not seen."""
    cards = {(0, other): state.hand(other)[0] for other in range(4) if state.hand(other)}
    cards |= {(nth, other): CARDS[laid[other]] for nth, laid in enumerate(state.bids, 1) for other in range(4)}
    return {place: card for place, card in cards.items() if place[1] != seat and card != "2C"}


def possible(view: Any, unseen: dict[Place, str]) -> set[tuple[str, ...]]:
    """Return all legal arrangements of the unseen cards, found by trying every order."""
    given = {card: seat for seat, card in view["passed"]}
    legal: dict[tuple[str, ...], bool] = {}
    ways = set()
    for order in permutations(unseen.values()):
        cards = dict(zip(unseen, order, strict=True))
        left = {seat: card for (nth, seat), card in cards.items() if nth == 0}
        key = tuple(left.values())
        if key not in legal:
            legal[key] = was_legal(view, left)
        if legal[key] and all(nth != 1 and given[card] == seat for (nth, seat), card in cards.items() if card in given):
            ways.add(order)
    return ways


def was_legal(view: Any, left: dict[int, str]) -> bool:
    """Return whether the play up to this view was legal if these seats had these cards left."""
    tricks = [*view["tricks"], [view["leader"], *view["trick"]]]
    plays = [((leader + turn) % 4, card) for leader, *cards in tricks for turn, card in enumerate(cards)]
    held = [" ".join([card for who, card in plays if who == seat] + [left.get(seat, "")]) for seat in range(4)]
    held[view["seat"]] += " ".join(view["hand"])  # after the space that an empty card left
    state = playing(held, leader=tricks[0][0])
    for seat, card in plays:
        assert seat == state.seat
        if card not in state.view(seat)["legal"]:
            return False
        state.move(seat, card)
    return True


@pytest.mark.parametrize("seed", [28, 50, 255])
def test_every_consistent_round_is_equally_likely(seed: int) -> None:
    """Samples of the last trick are exactly the rounds found by brute force, about equally often."""
    state = position(GAME, seed, LAST_TRICK + 2)
    assert isinstance(state, SuitYourselfState)
    unseen = hidden(state, state.seat)
    ways = possible(seen(state, state.seat), unseen)
    expected = 30
    samples = drawn(state, state.seat, expected * len(ways))
    counts = Counter(tuple(hidden(sample, state.seat)[place] for place in unseen) for sample in samples)

    assert tuple(unseen.values()) in ways
    assert set(counts) == ways
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 1.5 * len(ways) + 20


def test_givers_of_cards_are_drawn_uniformly() -> None:
    """Any of the eleven cards that another seat played or bid second may have come from a third."""
    state = position(GAME, 2, LAST_TRICK + 3)
    assert isinstance(state, SuitYourselfState)
    me, other = state.seat, (state.seat + 1) % 4
    view = seen(state, me)
    mine = next(card for seat, card in view["passed"] if seat == other)
    assert any(mine in trick for trick in view["tricks"])
    received = [dict(sample.view(other)["received"])[(me + 2) % 4] for sample in drawn(state, me, 3300)]
    played = Counter(card for card in received if any(card in trick for trick in [*view["tricks"], view["trick"]]))

    assert len(played) == 10
    assert all(abs(count - 300) < 75 for count in played.values())


def test_samples_match_true_frequencies() -> None:
    """Over many rounds of random choices a passed card is the second bid once in twelve."""
    given = taken = 0
    for seed in range(2400):
        state = position(GAME, seed, 20)
        sample = next(drawn(state, 0, 1, seed))
        bid = CARDS[sample.bids[1][1]]
        received = dict(sample.view(1)["received"])
        given += bid == received[0]
        taken += bid == received[2]

    assert abs(given - 200) < 60
    assert abs(taken - 200) < 60


def test_lower_seats_have_chosen_if_the_seat_has() -> None:
    """Their choices are random; higher seats have yet to choose."""
    state = position(GAME, 3, 16 + 3)
    samples = [*drawn(state, 2, 40)]

    assert all(sample.actors() == (3,) for sample in samples)
    assert {sample.view(2)["chosen"] for sample in samples} == {state.view(2)["chosen"]}
    assert len({sample.view(0)["chosen"] for sample in samples}) > 10
    assert all(sample.actors() == (0, 1, 2, 3) for sample in drawn(state, 3, 5))


def test_sample_keeps_what_decides_ties() -> None:
    """Totals, points and bids won of the previous round are those of the view."""
    state = position(SuitYourself(), 3, 64 + 30)

    assert any(state.scores())
    assert all(sample.keys() == state.keys() for sample in drawn(state, 1, 3))
