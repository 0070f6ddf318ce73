"""Separate Suits, rule by rule."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.base import OVER
from arena.games.cards import RANKS
from arena.games.errors import BoardError, IllegalAction, OptionError
from arena.games.events import Event
from arena.games.rules import page
from arena.games.separate_suits import (
    MAX_HANDS,
    NOBODY,
    PACKET,
    SeparateSuits,
    SeparateSuitsState,
    SeparateSuitsView,
    cancelling_winner,
    ordinary_winner,
)
from tests.positions import finished, position, positions

EVERY_RULE_SET = st.fixed_dictionaries(
    {"players": st.integers(2, 8), "cancel_every_trick": st.booleans(), "split_hand": st.booleans()}
)


def play(state: SeparateSuitsState, steps: str) -> None:
    """Make the moves of these steps, a token per seat: ``"9T 24"`` is two steps of two players."""
    for token in steps.replace(" ", ""):
        state.move(state.seat, token)


def played(steps: str, **options: Any) -> SeparateSuitsState:
    """Return a match after these steps."""
    state = SeparateSuits({"players": len(steps.split()[0]), **options}).start()
    play(state, steps)
    return state


def seen(state: SeparateSuitsState, seat: int = 0) -> SeparateSuitsView:
    """Return the view of a seat."""
    return SeparateSuitsView(state.view(seat))


def play_alike(state: SeparateSuitsState) -> None:
    """Play to the end of the hand; all seats always choose their lowest card."""
    hand = state.hand_number
    while state.seat >= 0 and state.hand_number == hand:
        state.apply(state.legal(state.seat)[0])


# The cancelling trick


@pytest.mark.parametrize(
    ("cards", "winner"), [("A9", 0), ("99A", 2), ("AAA9", 3), ("AAKK2", 4), ("AKAK", None), ("22222222", None)]
)
def test_any_number_of_equal_cards_cancel_in_the_first_trick(cards: str, winner: int | None) -> None:
    """The highest card that no other seat shows wins."""
    state = played(cards)

    assert seen(state).last_winner == winner
    assert len(state.tricks) == (winner is not None)


def test_cancelled_cards_are_spent_if_a_seat_wins() -> None:
    """Only the winner keeps its card; none is taken back."""
    view = seen(played("AAK"))

    assert view.piles == [[], [], ["K"]]
    assert view.discards == [["A"], ["A"], []]
    assert view.hands == [[*RANKS[:-1]], [*RANKS[:-1]], [*RANKS.replace("K", "")]]


def test_all_choose_again_if_all_cards_cancel() -> None:
    """The cards return to the hands, and each seat chooses one that it has not tried in this trick."""
    state = played("9T9T 8484")
    view = seen(state, 1)

    assert (view.attempts, view.attempt_number, view.trick_number) == ([[*"9T9T"], [*"8484"]], 2, 0)
    assert view.legal == [*RANKS.replace("T", "").replace("4", "")]
    assert view.hand == [*RANKS]
    assert state.actors() == (0, 1, 2, 3)


def test_card_taken_back_can_be_played_to_the_next_trick() -> None:
    """A card is excluded only within the trick in which it was tried."""
    state = played("99 A2")

    assert seen(state).legal == [*RANKS[:-1]]
    assert seen(state).tricks == [(0, [["9", "9"], ["A", "2"]])]


def test_void_first_trick_is_followed_by_a_cancelling_trick() -> None:
    """Until a seat has won a trick there is no winner to count from."""
    state = played(" ".join(2 * rank for rank in RANKS))
    view = seen(state)

    assert view.tricks == [(None, [[rank, rank] for rank in RANKS])]
    assert view.discards == [["A"], ["A"]]
    assert (view.cancelling, view.last_winner, view.trick_number, view.attempts) == (True, None, 1, [])
    play(state, "KK 97")
    assert (seen(state).cancelling, seen(state).last_winner) == (False, 0)


def test_last_cards_that_cancel_make_a_void_trick() -> None:
    """Two players with the same last card, cancelling in every trick: 12 points, and the next hand begins."""
    state = played("32 43 54 65 76 87 98 T9 JT QJ KQ 2K AA", cancel_every_trick=True)

    assert (state.scores(), state.hand_number) == ([11, 1], 1)


def test_last_card_of_a_packet_can_make_a_void_trick() -> None:
    """Cards in the hand do not count, only those in the packet. The last winner stays the same."""
    packets = "22 33 44 55 66 77"
    state = played(f"{packets} 32 43 54 65 26 77", split_hand=True, cancel_every_trick=True)
    view = seen(state)

    assert view.tricks[-1] == (None, [["7", "7"]])
    assert (view.trick_number, view.legal, view.last_winner) == (6, [*"89TJQKA"], 1)


# The ordinary trick


@pytest.mark.parametrize(
    ("cards", "winner"),
    [("KQJT", 0), ("2345", 3), ("KK23", 1), ("K2K3", 2), ("KKKK", 1), ("K2Q3", 0), ("K23K", 3), ("QKQK", 1)],
)
def test_first_of_equal_high_cards_wins_clockwise_from_last_winner(cards: str, winner: int) -> None:
    """Seat 1 won the first trick and is counted first; nothing cancels."""
    assert seen(played(f"9A87 {cards}")).last_winner == winner


def test_last_winner_is_forgotten_between_hands() -> None:
    """Every hand begins with a cancelling trick, which needs none."""
    state = position(SeparateSuits({"players": 3}), 1, 39)

    assert isinstance(state, SeparateSuitsState)
    assert (state.hand_number, seen(state).last_winner, seen(state).cancelling) == (1, None, True)
    assert (seen(state).tricks, seen(state).hand) == ([], [*RANKS])


@pytest.mark.parametrize(("every", "winner"), [(False, 1), (True, 3)])
def test_equal_cards_cancel_in_later_tricks_only_with_the_option(every: bool, winner: int) -> None:
    """The second variation replaces the clockwise count."""
    state = played("9A87 KKK2", cancel_every_trick=every)

    assert seen(state).last_winner == winner


# The split hand


def test_six_cards_are_set_aside_in_secret() -> None:
    """Each seat picks six times and sees only its own picks."""
    state = played("2A 3K", split_hand=True)
    view = seen(state, 1)

    assert (view.phase, view.packet, view.legal) == ("packet", ["K", "A"], [*RANKS[:-2]])
    assert (view.hand, view.hands) == ([*RANKS], [[*RANKS], [*RANKS]])
    play(state, "4Q 5J 6T 79")
    view = seen(state, 1)
    assert (view.phase, view.packet, view.legal) == ("play", [*"9TJQKA"], [*"9TJQKA"])
    assert seen(state).packet == [*"234567"]


def test_six_tricks_use_the_packet_and_seven_the_rest() -> None:
    """The seventh trick is an ordinary one without cards of the packet."""
    state = played("2A 3K 4Q 5J 6T 79 2A 3K 4Q 5J 6T", split_hand=True)

    assert (seen(state).packet, seen(state).legal, seen(state).hand) == (["7"], ["7"], [*"789TJQKA"])
    play(state, "79")
    view = seen(state)
    assert (view.trick_number, view.packet, view.cancelling) == (6, [], False)
    assert view.legal == view.hand == [*"89TJQKA"]


def test_card_chosen_again_is_from_the_packet() -> None:
    """Exactly the untried cards of the packet are legal."""
    state = played("23 32 44 55 66 77 77 66", split_hand=True)

    assert seen(state).legal == [*"2345"]
    assert seen(state, 1).packet == [*"234567"]


def test_packets_are_picked_in_every_hand() -> None:
    """The next hand begins with picks."""
    state = SeparateSuits({"players": 2, "split_hand": True}).start()
    play_alike(state)

    assert (state.hand_number, state.phase, seen(state).legal) == (1, "packet", [*RANKS])


# The end


@pytest.mark.parametrize("target", [1, 13, 14, 20, 50])
def test_match_to_points_ends_after_the_hand_that_reaches_them(target: int) -> None:
    """The match ends neither before the hand is over nor later."""
    game = SeparateSuits({"points": target})
    state, before = game.start(), [0]
    for here in positions(game, 5, state):
        before = here.scores()

    assert state.seat == OVER
    assert max(before) < target <= max(state.scores())
    assert sum(state.scores()) % 13 == 0


def test_number_of_hands_replaces_the_target() -> None:
    """More than 20 points do not end it."""
    state = finished(SeparateSuits({"players": 2, "hands": 6}), 1)

    assert isinstance(state, SeparateSuitsState)
    assert (state.hand_number, sum(state.scores())) == (5, 78)


@pytest.mark.parametrize(("options", "hands"), [({}, MAX_HANDS), ({"hands": 2}, 2), ({"hands": 41}, 41)])
def test_match_of_identical_players_ends(options: dict[str, Any], hands: int) -> None:
    """Every trick is void; a match to points ends after hand 40, and all share the first place."""
    game = SeparateSuits({"players": 2, **options})
    state = game.start()
    while state.seat != OVER:
        play_alike(state)

    assert (state.hand_number + 1, state.scores(), game.ranks(state.keys())) == (hands, [0, 0], [1, 1])


def test_equal_totals_share_a_place() -> None:
    """Ranks follow the totals alone."""
    assert SeparateSuits().ranks([20, 12, 20, 0]) == [1, 3, 1, 4]


# Options, boards, moves


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": 1}, "has no option 'colour'; it has players, points, hands, cancel_every_trick, split_hand"),
        ({"players": 1}, "players cannot be 1; allowed: 2 to 8"),
        ({"players": 9}, "players cannot be 9"),
        ({"players": True}, "players cannot be True"),
        ({"points": 0}, "points cannot be 0"),
        ({"hands": 0}, "hands cannot be 0"),
        ({"hands": 1.0}, "hands cannot be 1.0"),
        ({"cancel_every_trick": 1}, "cancel_every_trick cannot be 1; allowed: true or false"),
        ({"split_hand": None}, "split_hand cannot be None"),
        ({"points": 20, "hands": 6}, "exactly one of points and hands"),
        ({"points": None}, "exactly one of points and hands"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], message: str) -> None:
    """The error names the option, the value and the allowed values."""
    with pytest.raises(OptionError, match=message):
        SeparateSuits(options)


def test_hands_clear_the_points() -> None:
    """Options are complete, in the order of the record."""
    assert list(SeparateSuits({"hands": 6}).options.items()) == [
        ("players", 4), ("points", None), ("hands", 6), ("cancel_every_trick", False), ("split_hand", False),
    ]  # fmt: skip


def test_there_are_no_boards() -> None:
    """Asking for a board raises an error that says so."""
    game = SeparateSuits()
    state = game.start()

    assert (game.max_boards, state.boards, state.seat) == (0, 0, 0)
    asks: list[Callable[[], object]] = [
        lambda: game.draw_board(0, Random(1)),
        lambda: game.board_to_json(None),
        lambda: game.board_from_json(0, {}),
        lambda: state.deal(None),
    ]
    for ask in asks:
        with pytest.raises(BoardError, match="separate_suits has no boards"):
            ask()


def test_illegal_moves_are_refused() -> None:
    """The message names the legal actions or the seat to move."""
    with pytest.raises(IllegalAction, match="'9' is not allowed; legal: 2 3 4 5 6 7 8 T J Q K A"):
        played("99 9")
    with pytest.raises(IllegalAction, match="'AS' is not an action of separate_suits"):
        SeparateSuits().start().move(0, "AS")
    with pytest.raises(IllegalAction, match="seat 2 is not to move; seat 1 is"):
        played("9T 8").move(2, "A")


# Views and events


def test_choice_is_visible_to_its_seat_only_until_all_have_chosen() -> None:
    """The chosen card stays in the hand, and nothing else changes in any view."""
    state = played("9A87 K")

    assert [seen(state, seat).chosen for seat in range(4)] == ["K", None, None, None]
    assert [bool(seen(state, seat).legal) for seat in range(4)] == [False, True, True, True]
    assert "K" in seen(state).hand
    before = state.view(3)
    play(state, "QJ")
    assert state.view(3) == before


def test_view_properties_agree_with_the_position() -> None:
    """Authors can read every part of the view as a property."""
    view = seen(played("999 A2A KK2 Q33"), 2)

    assert (view.seat, view.phase, view.hand_number, view.trick_number, view.attempt_number) == (2, "play", 0, 3, 0)
    assert (view.cancelling, view.last_winner, view.attempts, view.packet) == (False, 0, [], [])
    assert view.tricks == [(1, [["9", "9", "9"], ["A", "2", "A"]]), (1, [["K", "K", "2"]]), (0, [["Q", "3", "3"]])]
    assert (view.tricks[0].winner, view.tricks[0].attempts[0]) == (1, ["9", "9", "9"])
    assert view.piles == [["Q"], ["2", "K"], []]
    assert view.discards == [["A", "K"], ["3"], ["A", "2", "3"]]
    assert view.hand == view.hands[2] == view.legal == [*"456789TJQK"]
    assert (view.chosen, view.scores) == (None, [0, 0, 0])


def test_scores_in_a_view_are_those_of_previous_hands() -> None:
    """Points of the current hand are only in its piles."""
    state = played("32 43 54 65 76 87 98 T9 JT QJ KQ AK 2A 32")

    assert (seen(state).scores, seen(state).hand_number) == ([12, 1], 1)
    assert seen(state).piles == [["3"], []]


def events_of(steps: str, **options: Any) -> list[Event]:
    """Return the events of a match up to these steps."""
    events: list[Event] = []
    state = SeparateSuits({"players": len(steps.split()[0]), **options}).start(events)
    play(state, steps)
    return events


def texts(events: Iterable[Event]) -> list[str]:
    """Return their sentences."""
    return [event.text for event in events]


def test_events_of_a_replayed_trick() -> None:
    """Cards are shown, go back to the hands and are shown again; one is won, the others are discarded."""
    events = events_of("9A9A 8K82")[5:]

    assert texts(events) == [
        "Trick 1.", "{0} plays 9.", "{1} plays A.", "{2} plays 9.", "{3} plays A.", "Equal cards cancel: nines, aces.",
        "No card is left, so all choose again.",
        "{0} takes back 9.", "{1} takes back A.", "{2} takes back 9.", "{3} takes back A.",
        "Trick 1, attempt 2.", "{0} plays 8.", "{1} plays K.", "{2} plays 8.", "{3} plays 2.",
        "Equal cards cancel: eights.",
        "{1} wins the trick with K.", "The rest is discarded.",
    ]  # fmt: skip
    assert [event.kind for event in events if event.step] == ["reveal", "replay", "reveal", "trick"]
    assert [event.target for event in events[7:11]] == [f"hand:{seat}" for seat in range(4)]
    won, discarded = events[-2:]
    assert (won.kind, won.seat, won.cards, won.source, won.target) == ("trick", 1, ("K",), "table:1", "won:1")
    assert (discarded.cards, discarded.source, discarded.target) == (("8", "8", "2"), "table", "discard")
    assert won.facts == {"taken": [0, 1, 0, 0], "last_winner": 1}
    assert events[0].facts == {"trick": 1, "equal": "cancel"}


def test_event_names_the_seat_from_which_equal_cards_count() -> None:
    """With a single highest card the event names no such seat."""
    events = events_of("9A87 K2K3 4445 QQ24")

    assert [event.text for event in events if event.kind == "trick"] == [
        "{1} wins the trick with A.",
        "{2} wins the trick with K, the first clockwise from {1}.",
        "{3} wins the trick with 5.",
        "{0} wins the trick with Q, the first clockwise from {3}.",
    ]
    assert not any(event.kind == "cancel" for event in events)
    assert [event.facts["equal"] for event in events if event.kind == "reveal"][1] == "first clockwise"


def test_events_of_a_void_trick() -> None:
    """All cards of the last attempt are discarded."""
    events = events_of(" ".join(2 * rank for rank in RANKS))

    assert [event.kind for event in events if event.step][-2:] == ["reveal", "void"]
    assert (events[-1].cards, events[-1].source, events[-1].target) == (("A", "A"), "table", "discard")
    assert "Nobody wins" in events[-1].text


def test_events_begin_and_end_a_hand() -> None:
    """Every hand begins with a deal, which is public here, and ends with its scores; the last also with totals."""
    events: list[Event] = []
    game = SeparateSuits({"players": 2, "hands": 2})
    for _ in positions(game, 1, game.start(events)):
        pass
    deals = [event for event in events if event.kind == "deal"]

    assert [event.step for event in deals] == [True, False, False] * 2
    assert [event.facts["hand"] for event in deals[::3]] == [1, 2]
    assert (deals[4].cards, deals[4].source, deals[4].target) == (tuple(RANKS), "stock", "hand:0")
    assert re.fullmatch(r"Hand 1 scores: \{0\} \d+, \{1\} \d+\.", next(e.text for e in events if e.kind == "score"))
    assert [event.kind for event in events[-2:]] == ["score", "end"]


def test_packet_events_hide_the_cards() -> None:
    """One sentence follows when all packets are complete; only their owners see the cards that move."""
    events = events_of("2A 3K 4Q 5J 6T 79 2", split_hand=True)

    assert [event.kind for event in events] == ["deal", "deal", "deal", "packet", "packet", "packet"]
    assert (events[3].cards, events[3].text[:9]) == ((), "Everybody")
    assert (events[4].cards, events[4].source, events[4].target) == (tuple("234567"), "hand:0", "packet:0")
    assert [event.seen_by for event in events[4:]] == [(0,), (1,)]


def test_first_six_tricks_are_played_from_the_packet() -> None:
    """Cards are played from the packet and taken back to it; those after the sixth trick come from the hand."""
    events = events_of("22 33 44 55 66 77 22 34 43 56 65 27 72 89", split_hand=True)
    moves = [(event.kind, event.source, event.target) for event in events if event.kind in ("play", "replay")]

    assert ("replay", "table:0", "packet:0") in moves
    assert [source for kind, source, _ in moves if kind == "play"] == ["packet:0", "packet:1"] * 7 + [
        "hand:0",
        "hand:1",
    ]


# Samples


def samples(state: SeparateSuitsState, seat: int, count: int) -> Iterable[SeparateSuitsState]:
    """Return states consistent with the view of the seat."""
    rng = Random(7)
    game = SeparateSuits(state.game.options)
    view = json.loads(json.dumps(state.view(seat)))
    for _ in range(count):
        yield game.sample(view, rng)


def assert_uniform(counts: Counter[Any], outcomes: int, each: int) -> None:
    """Assert that every outcome occurred about equally often."""
    assert len(counts) == outcomes
    assert 0.5 * each < min(counts.values()) <= max(counts.values()) < 1.6 * each


PACKETS = "2A2 3K3 4Q4 5J5 6T6 797"


def test_packets_consistent_with_shown_cards_are_equally_likely() -> None:
    """Three tricks and a card taken back are known of a packet, so any two of nine cards are the rest."""
    state = played(f"{PACKETS} 292 3T3 4J4", split_hand=True, cancel_every_trick=True)
    drawn = [tuple(map(tuple, (seen(s, 0).packet, seen(s, 2).packet))) for s in samples(state, 1, 8400)]
    possible = {tuple(sorted(packet)) for packet in combinations("56789TJQKA", 3)}
    rest = {tuple(RANKS[rank] for rank in range(13) if RANKS[rank] in packet) for packet in possible}

    assert {packet for packet, _ in drawn} == rest
    assert_uniform(Counter(packet for packet, _ in drawn), 120, 70)
    assert_uniform(Counter(packet for _, packet in drawn), 120, 70)


def test_packet_holds_cards_taken_back() -> None:
    """A card tried in the first trick is known although another was played."""
    state = played("222 333 444 555 666 77A 222 333 44A", split_hand=True)
    packets = Counter(tuple(seen(sampled, 2).packet) for sampled in samples(state, 0, 3600))

    assert all(set("23") <= set(packet) and "A" not in packet for packet in packets)
    assert_uniform(packets, 120, 30)


def test_hidden_choices_are_equally_likely() -> None:
    """Seat 1 has chosen, so seat 0 has too: any card that its packet may hold."""
    state = played(f"{PACKETS} 292 3T3 4J4 5Q5 6K", split_hand=True)
    pairs = Counter((tuple(seen(sampled).packet), seen(sampled).chosen) for sampled in samples(state, 1, 5040))

    assert all(chosen in packet for packet, chosen in pairs)
    assert_uniform(pairs, 36 * 2, 70)


def test_picks_of_others_are_equally_likely() -> None:
    """A seat that has picked twice knows that the seat before it has picked any two different cards."""
    state = played("2A2 4Q", split_hand=True)
    picks = Counter((tuple(seen(sampled).packet), seen(sampled).chosen) for sampled in samples(state, 1, 9360))

    assert_uniform(picks, 13 * 12, 60)


def test_sample_leaves_choices_open_if_the_seat_has_not_chosen() -> None:
    """The packets of others are as complete as the seat's own."""
    state = played("2A2 3K3 4Q", split_hand=True)
    (sampled,) = samples(state, 2, 1)

    assert sampled.actors() == (0, 1, 2)
    assert [len(seen(sampled, seat).packet) for seat in range(3)] == [2, 2, 2]


# Properties


@settings(max_examples=60, deadline=None)
@given(EVERY_RULE_SET, st.integers(0, 10**6))
def test_invariants_of_every_hand(options: dict[str, Any], seed: int) -> None:
    """Hands are equal in size, won and void tricks add up to 13, and only cancelling tricks are void."""
    game = SeparateSuits({"hands": 1, **options})
    state = SeparateSuitsState(game)
    for _ in positions(game, seed, state):
        assert len({hand.bit_count() for hand in state.current}) == len({hand.bit_count() for hand in state.aside}) == 1
        assert len({cards.bit_count() for cards in state.untried}) == 1
    voids = sum(winner == NOBODY for winner, _ in state.tricks)

    assert len(state.tricks) == 13
    assert sum(state.scores()) + voids == 13
    won = False
    for number, (winner, attempts) in enumerate(state.tricks):
        cards = attempts[-1]
        cancelling = not won or options["cancel_every_trick"]
        if cancelling and winner != NOBODY:
            assert cards.count(cards[winner]) == 1
        assert cancelling or (winner != NOBODY and cards[winner] == max(cards) and len(attempts) == 1)
        left = (PACKET - number if number < PACKET else 13 - number) if options["split_hand"] else 13 - number
        assert len(attempts) <= left
        assert all(len({attempt[seat] for attempt in attempts}) == len(attempts) for seat in range(game.players))
        assert winner != NOBODY or len(attempts) == left
        won = won or winner != NOBODY


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 8), st.integers(0, 10**6))
def test_first_six_tricks_use_exactly_the_packet(players: int, seed: int) -> None:
    """Every card tried in them is from the packet, and all of it is played."""
    game = SeparateSuits({"players": players, "split_hand": True, "cancel_every_trick": seed % 2 == 0, "hands": 1})
    state = SeparateSuitsState(game)
    packets: list[set[str]] = []
    for _ in positions(game, seed, state):
        if state.phase == "play" and not packets:
            packets = [set(seen(state, seat).packet) for seat in range(players)]
    first = state.tricks[:PACKET]

    for seat, packet in enumerate(packets):
        assert {RANKS[attempts[-1][seat]] for _, attempts in first} == packet
        assert {RANKS[attempt[seat]] for _, attempts in first for attempt in attempts} == packet


@settings(max_examples=60, deadline=None)
@given(EVERY_RULE_SET, st.integers(1, 40), st.integers(0, 10**6))
def test_match_to_points_lasts_no_longer_than_its_points_allow(options: dict[str, Any], target: int, seed: int) -> None:
    """Before the last hand no seat has the target, and every hand without void tricks brings 13 points."""
    players = options["players"]
    game = SeparateSuits({"points": target, **options})
    state = SeparateSuitsState(game)
    totals, hands = (0,) * players, 0
    for _ in positions(game, seed, state):
        totals, hands = state.totals, state.hand_number
    voids_before = 13 * hands - sum(totals)

    assert 13 * hands <= (target - 1) * players + voids_before
    assert max(totals) < target
    if not voids_before:
        assert hands + 1 <= -(-((target - 1) * players + 1) // 13)


@given(st.lists(st.integers(0, 12), min_size=2, max_size=8), st.data())
def test_both_rules_agree_without_equal_cards(cards: list[int], data: st.DataObject) -> None:
    """An ordinary trick always has a winner that shows the highest card."""
    last = data.draw(st.integers(0, len(cards) - 1))
    winner = ordinary_winner(cards, last)
    high = [(last + turn) % len(cards) for turn in range(len(cards)) if cards[(last + turn) % len(cards)] == max(cards)]

    assert winner == high[0]
    if len(set(cards)) == len(cards):
        assert cancelling_winner(cards) == winner


# The rules page


def rows(pattern: str) -> list[tuple[str, ...]]:
    """Return the rows of tables on the rules page that match this pattern."""
    return re.findall(pattern, page("separate_suits"), re.MULTILINE)


RANK = r"([2-9TJQKA])"


def test_worked_tricks_of_the_page_are_right() -> None:
    """Each row of the table of tricks is decided in the same way by the engine."""
    tricks = rows(rf"^\| (\w+) \| (\d|–) \| {RANK} \| {RANK} \| {RANK} \| {RANK} \| (\d|–) \|$")

    assert len(tricks) == 8
    for rule, last, *tokens, winner in tricks:
        cards = [RANKS.index(token) for token in tokens]
        found = cancelling_winner(cards) if rule == "cancelling" else ordinary_winner(cards, int(last))
        assert found == (NOBODY if winner == "–" else int(winner))


def test_worked_hand_of_the_page_is_right() -> None:
    """Ann, Bob and Cid can play it, and the winners are those of the page."""
    names = ["Ann", "Bob", "Cid"]
    steps = rows(rf"^\| (\d+) \| {RANK} \| {RANK} \| {RANK} \| (\w+) \| [^|]+ \|$")
    state = played(" ".join("".join(tokens) for _, *tokens, _ in steps))

    assert len(steps) == 7
    attempts = [
        (str(number), *(RANKS[card] for card in cards), "nobody" if cards is not shown[-1] else names[winner])
        for number, (winner, shown) in enumerate(state.tricks, 1)
        for cards in shown
    ]
    assert attempts == steps


def test_maximum_number_of_hands_on_the_page_is_right() -> None:
    """The number is the smallest whose points force a seat to have 20."""
    ((*players,),) = rows(r"^\| Players \|" + r" (\d+) \|" * 7 + "$")
    ((*hands,),) = rows(r"^\| Hands \|" + r" (\d+) \|" * 7 + "$")

    assert players == [*"2345678"]
    for count, most in zip(map(int, players), map(int, hands), strict=True):
        assert 13 * (most - 1) <= 19 * count < 13 * most
