"""Suits by Mark Steere: events and samples."""

import json
from collections import Counter
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.games.events import Event
from arena.games.spanish import INDEX
from arena.games.suits_steere import SuitsSteere, SuitsSteereState
from tests.games.test_suits_steere import ended, seeds
from tests.positions import finished, position, positions


def events_of(hands: int, seed: int) -> list[Event]:
    """Return the events of a random match."""
    game = SuitsSteere({"hands": hands})
    events: list[Event] = []
    for _ in positions(game, seed, game.start(events)):
        pass
    return events


def test_events_are_complete() -> None:
    """Only their owners see dealt hands; all seats see plays, tricks and scores."""
    events = events_of(2, 6)
    kinds = [event.kind for event in events]

    assert kinds[0] == "deal"
    assert (kinds.count("play"), kinds.count("trick"), kinds.count("score")) == (96, 32, 2)
    assert kinds[-2:] == ["score", "end"]
    hidden = [event for event in events if event.seen_by is not None]
    assert [(event.kind, event.seen_by) for event in hidden] == [("deal", (seat,)) for seat in (0, 1, 2)] * 2
    assert events[-3].facts["score"] == finished(SuitsSteere({"hands": 2}), 6).scores()


def test_tie_break_is_dealt_from_the_dealers_left() -> None:
    """One step clears the table and deals; then a sentence names the winner, and the match ends."""
    events: list[Event] = []
    state = ended([8, 8, 0], events)
    before = len(events)
    dealer = (state.leader - 1) % 3
    state.deal(state.game.board_from_json(1, {"tie_break": ["5C", "5E", "AB"]}))
    first, *dealt, decided, end = events[before:]

    assert (first.kind, first.step, first.facts) == ("deal", True, {"dealer": dealer})
    assert first.text == f"{{0}} and {{1}} are tied for first: {{{dealer}}} deals a card to each player."
    assert [event.target for event in dealt] == [f"table:{(dealer + turn) % 3}" for turn in (1, 2, 3)]
    assert {event.target: event.cards[0] for event in dealt} == {"table:0": "5C", "table:1": "5E", "table:2": "AB"}
    assert {(event.kind, event.source, event.seen_by, event.step) for event in dealt} == {
        ("deal", "stock", None, False)
    }
    assert (decided.kind, decided.seat, decided.text) == (
        "tie-break", 1, "{1} has the highest card of the tied players and wins.",
    )  # fmt: skip
    assert (end.kind, end.text) == ("end", "The match ends: {0} 8, {1} 8, {2} 0.")


def test_three_way_tie_names_all_three() -> None:
    """The sentence of the tie-break names all tied players."""
    events: list[Event] = []
    state = ended([16, 16, 16], events)
    state.deal(state.game.draw_board(1, Random(1)))

    assert [event.text for event in events if event.text.startswith("{0}, {1} and {2} are tied for first: ")]


def test_every_split_of_the_unseen_cards_is_equally_likely() -> None:
    """Five unseen cards are two and three of the others: ten splits occur about equally often."""
    game = SuitsSteere({"hands": 1})
    state = position(game, 3, 40)
    assert isinstance(state, SuitsSteereState)
    one, two = (seat for seat in range(3) if seat != state.seat)
    view = json.loads(json.dumps(state.view(state.seat)))
    possible = set(combinations(sorted(state.hands[one] + state.hands[two]), len(state.hands[one])))
    rng = Random(1)
    counts = Counter(tuple(game.sample(view, rng).hands[one]) for _ in range(4000))

    assert len(possible) == 10
    assert set(counts) == possible
    assert all(abs(count - 400) < 80 for count in counts.values())


@given(seeds, st.integers(0, 95), st.integers(0, 2))
def test_sample_contradicts_nothing_shown(seed: int, moves: int, seat: int) -> None:
    """The others hold the right numbers of cards, none of them played or in the seat's own hand."""
    game = SuitsSteere({"hands": 2})
    state = position(game, seed, moves)
    assert isinstance(state, SuitsSteereState)
    view = json.loads(json.dumps(state.view(seat)))
    sampled = game.sample(view, Random(seed))
    played = {INDEX[card] for _, *cards in view["tricks"] for card in cards} | {INDEX[card] for card in view["trick"]}
    held = [card for hand in sampled.hands for card in hand]

    assert sampled.hands[seat] == state.hands[seat]
    assert list(map(len, sampled.hands)) == list(map(len, state.hands))
    assert sorted({*held, *played}) == list(range(48))
    assert len(held) + len(played) == 48
