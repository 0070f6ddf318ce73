"""The contract of `arena.games.base`, over every registered variant, further option sets and the example of a game."""

import json
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from arena.cli.random_records import random_match
from arena.games.base import CHANCE, OVER, Game, State
from arena.games.errors import IllegalAction
from arena.games.events import Event
from arena.games.registry import VARIANTS, game, rules_of
from arena.match.record import encode, pack, parse, unpack
from arena.match.replay import trace, verify
from tests.contract.cases import CASES
from tests.games.high_card import HighCard
from tests.positions import deal, finished, position, positions

MORE = [(id, options) for id, case in CASES.items() for options in case.more]
RULES = [*map(rules_of, VARIANTS), *(game(id, options) for id, options in MORE), HighCard()]
IDS = [*VARIANTS, *(f"{id}-{options}" for id, options in MORE), "example"]
SEEDS = (0, *(pytest.param(seed, marks=pytest.mark.no_cover) for seed in (1, 2)))
"""Coverage is measured with the first seed only, because measured tests take three times as long."""

every_game = pytest.mark.parametrize("rules", RULES, ids=IDS)
every_seed = pytest.mark.parametrize("seed", SEEDS)


def as_sent(state: State, seat: int) -> bytes:
    """Return a seat's view, byte for byte."""
    return json.dumps(state.view(seat)).encode()


def parts_of(value: Any) -> Iterator[Any]:
    """Yield a JSON value and everything in it, including keys."""
    yield value
    inside = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for each in inside:
        yield from parts_of(each)


@every_game
@every_seed
def test_some_seat_can_move_until_the_end(rules: Game, seed: int) -> None:
    """Legal actions are never empty, ascend in canonical order, and have tokens that name them."""
    for state in positions(rules, seed):
        assert state.actors()[0] == state.seat
        for seat in state.actors():
            legal = list(state.legal(seat))
            assert legal
            assert legal == sorted(set(legal))
            assert [rules.action(rules.token(action)) for action in legal] == legal


@every_game
@every_seed
def test_match_ends_within_stated_bound(rules: Game, seed: int) -> None:
    """A match uses at most `max_boards` boards; after its end no seat is to act."""
    state = finished(rules, seed)

    assert rules.max_boards is None or state.boards <= rules.max_boards
    assert state.actors() == ()


@every_game
def test_finished_deals_are_counted_one_by_one(rules: Game) -> None:
    """The count begins at 0, rises by one when a deal ends, and is above 0 at the end of the match."""
    state = rules.start()
    counts = [*(each.finished for each in positions(rules, 0, state)), state.finished]

    assert counts[0] == 0 < counts[-1]
    assert {later - earlier for earlier, later in pairwise(counts)} == {0, 1}


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
@every_game
@every_seed
def test_view_hides_what_seat_cannot_know(rules: Game, seed: int) -> None:
    """Two states that differ only in hidden parts give byte-identical views."""
    rng = Random(seed)
    differed = False
    for state in positions(rules, seed):
        sent = [as_sent(state, seat) for seat in range(rules.players)]
        for seat in range(rules.players):
            twin = CASES[rules.id].twin(state, seat, rng)
            differed = differed or any(as_sent(twin, other) != sent[other] for other in range(rules.players))
            assert as_sent(twin, seat) == sent[seat]
    assert differed == CASES[rules.id].hides(rules)


@every_game
@every_seed
def test_every_card_is_in_exactly_one_place(rules: Game, seed: int) -> None:
    """No card is lost or duplicated, and the pack never changes."""
    packs = {tuple(sorted(CASES[rules.id].cards(state))) for state in positions(rules, seed)}

    assert len(packs) == 1


@every_game
@every_seed
def test_sample_gives_seat_the_same_view(rules: Game, seed: int) -> None:
    """A sample reproduces the view byte for byte at any position, has all the cards, and can be played to the end."""
    rng = Random(seed)
    pack = None
    for number, state in enumerate(positions(rules, seed)):
        pack = pack or sorted(CASES[rules.id].cards(state))
        for seat in range(rules.players):
            sent = as_sent(state, seat)
            sampled = rules.sample(json.loads(sent), rng)
            assert as_sent(sampled, seat) == sent
            assert sorted(CASES[rules.id].cards(sampled)) == pack
            assert sampled.events is None
        if number % 16 == 0:
            assert all(sampled.legal(sampled.seat) for _ in positions(rules, number, sampled))
            assert sampled.seat == OVER


@every_game
def test_samples_depend_on_view_and_generator_only(rules: Game) -> None:
    """Equal views and seeds give equal states, as seen by all seats; `State.sample` agrees with `Game.sample`."""
    state = position(rules, 1, 6)
    one, two = (state.sample(state.seat, Random(5)) for _ in range(2))

    assert [as_sent(one, seat) for seat in range(rules.players)] == [
        as_sent(two, seat) for seat in range(rules.players)
    ]


@every_game
def test_positions_are_told_apart_by_their_keys(rules: Game) -> None:
    """A clone equals its state, in a table too, until one of them moves; a match has no position twice."""
    keys = set()
    for state in positions(rules, 2):
        keys.add(state.key())
        copy = state.clone()
        assert copy == state
        copy.apply(copy.legal(copy.seat)[0])
        assert copy != state
        assert copy.key() not in keys
    assert state != state.key()
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


@every_game
def test_view_lists_legal_actions_of_acting_seats(rules: Game) -> None:
    """Legal actions are tokens in canonical order; the list of other seats is empty."""
    for state in positions(rules, 1):
        for seat in range(rules.players):
            expected = [rules.token(a) for a in state.legal(seat)] if seat in state.actors() else []
            assert state.view(seat)["legal"] == expected
            assert state.view(seat)["seat"] == seat


@every_game
def test_views_and_events_hold_plain_json(rules: Game) -> None:
    """Subclasses of str, such as cards, take three times as long to encode."""
    plain = {dict, list, tuple, str, int, bool, type(None)}
    events: list[Event] = []
    for state in positions(rules, 1, rules.start(events)):
        assert set(map(type, parts_of(state.view(state.seat)))) <= plain
    for event in events:
        assert set(map(type, parts_of(event.for_seat(0)))) <= plain


@every_game
def test_view_does_not_change_when_play_continues(rules: Game) -> None:
    """A view is a snapshot that shares nothing with the state."""
    state = position(rules, 1, 20)
    before = {seat: state.view(seat) for seat in range(rules.players)}
    kept = json.dumps(before)
    for _ in range(30):
        if state.seat >= 0:
            state.apply(state.legal(state.seat)[0])

    assert json.dumps(before) == kept


@every_game
@every_seed
def test_clone_is_independent(rules: Game, seed: int) -> None:
    """Playing on in a clone leaves the original unchanged."""
    for number, state in enumerate(positions(rules, seed)):
        if number % 10:
            continue
        before = [as_sent(state, seat) for seat in range(rules.players)]
        clone = state.clone()
        assert [as_sent(clone, seat) for seat in range(rules.players)] == before
        for _ in range(25):
            if clone.seat >= 0:
                clone.apply(clone.legal(clone.seat)[-1])
        assert [as_sent(state, seat) for seat in range(rules.players)] == before


@every_game
def test_state_can_be_cloned_and_viewed_before_its_first_board(rules: Game) -> None:
    """Cloning and viewing do not depend on a board having been dealt."""
    state = rules.start().clone()

    assert bool(state.view(0)["legal"]) == (state.seat == 0)
    assert state.seat == CHANCE or state.seat >= 0


@every_game
@every_seed
def test_board_survives_the_record(rules: Game, seed: int) -> None:
    """A drawn board is a legal deal and reads back as it was written."""
    if rules.max_boards != 0:
        board = rules.draw_board(0, Random(seed))
        data = rules.board_to_json(board)
        assert rules.board_from_json(0, json.loads(json.dumps(data))) == board
        assert rules.draw_board(0, Random(seed)) == board


@every_game
@every_seed
def test_random_match_makes_a_record_that_verifies(rules: Game, seed: int) -> None:
    """A record round-trips through its public and its packed form, byte for byte."""
    record = random_match(rules, bytes([seed] * 32))
    data = encode(record)
    verify(data)

    assert encode(parse(data)) == data
    assert encode(unpack(pack(record))) == data


@every_game
def test_trace_equals_play(rules: Game) -> None:
    """Tracing a record shows the legal actions of the original play."""
    record = random_match(rules, bytes(32))
    first, *moves, last = trace(record)

    assert first == {"boards": len(record["boards"]), "players": rules.players}
    assert [[move["seat"], move["action"]] for move in moves] == record["moves"]
    assert all(move["action"] in move["legal"] for move in moves)
    assert last == {"scores": record["scores"], "ranks": record["ranks"]}


@every_game
@every_seed
def test_no_card_is_in_two_places(rules: Game, seed: int) -> None:
    """Every event takes a card from the place that it is in; identical cards may occur."""
    events: list[Event] = []
    state = rules.start(events)
    for _ in positions(rules, seed, state):
        pass
    places: dict[str, list[str]] = {}
    for event in events:
        if event.kind == "deal" and event.step:
            places.clear()
        for card in event.cards:
            if event.source != "stock":
                holding = [cards for place, cards in places.items() if place.startswith(event.source) and card in cards]
                assert holding, event
                holding[0].remove(card)
            places.setdefault(event.target, []).append(card)
    assert places


@every_game
def test_events_name_no_cards_hidden_from_a_seat(rules: Game) -> None:
    """An event for a seat is JSON without the cards that it does not see."""
    events: list[Event] = []
    state = rules.start(events)
    deal(rules, state, 1) if state.seat == CHANCE else None
    for event in events:
        for seat in range(rules.players):
            text = json.dumps(event.for_seat(seat))
            hidden = event.seen_by is not None and seat not in event.seen_by
            assert not (hidden and any(json.dumps(card) in text for card in event.cards))


@every_game
def test_no_events_without_event_list(rules: Game) -> None:
    """Playouts do not pay for replays."""
    assert finished(rules, 1).events is None


@every_game
def test_illegal_move_is_refused_and_changes_nothing(rules: Game) -> None:
    """A checked move raises and leaves the state as it was."""
    state = position(rules, 2, 25)
    before = as_sent(state, state.seat)
    with pytest.raises(IllegalAction):
        state.move(state.seat, "no such action")
    with pytest.raises(IllegalAction):
        state.move(state.seat + 1, rules.token(state.legal(state.seat)[0]))

    assert as_sent(state, state.seat) == before


@every_game
def test_results_are_complete(rules: Game) -> None:
    """One score, key and rank per seat; the best rank is 1; teams cover every seat once."""
    state = finished(rules, 3)
    ranks = rules.ranks(state.keys())

    assert state.seat == OVER
    assert len(state.scores()) == len(state.keys()) == len(ranks) == rules.players
    assert min(ranks) == 1
    assert sorted(seat for team in rules.teams for seat in team) == list(range(rules.players))


def lines(rules: Game, state: State, depth: int) -> int:
    """Return the number of sequences of `depth` legal moves; awaited boards are dealt."""
    if state.seat == CHANCE:
        deal(rules, state, 1)
    legal = state.legal(state.seat)
    if depth == 1:
        return len(legal)
    count = 0
    for action in legal:
        after = state.clone()
        after.apply(action)
        count += lines(rules, after, depth - 1)
    return count


@pytest.mark.parametrize(
    ("id", "options", "counts"),
    [(id, options, counts) for id, case in CASES.items() for options, counts in case.perft],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_perft(id: str, options: dict[str, Any], counts: list[int]) -> None:
    """The number of legal lines from fixed boards is exact at small depths."""
    rules = game(id, options)

    assert counts
    assert [lines(rules, rules.start(), depth) for depth in range(1, len(counts) + 1)] == counts


@every_game
def test_view_type_reads_a_view_without_a_clock(rules: Game) -> None:
    """The game's view class offers the properties common to all games."""
    state = position(rules, 1, 5)
    view = rules.view_type(state.view(state.seat))

    assert (view.seat, view.phase, view.legal) == (state.seat, view.data["phase"], view.data["legal"])
    assert view.time_left is None
