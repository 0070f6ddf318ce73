"""Suit Yourself: its rules page, views and events."""

import json
import re

import pytest

from arena.games.base import State
from arena.games.cards import INDEX, SUIT_NAMES, SUITS
from arena.games.events import Event
from arena.games.rules import page
from arena.games.suit_yourself import SuitYourself, SuitYourselfView, bid_value, winner_of
from arena.games.suit_yourself.rules import LEVELS, ladder_of, round_scores
from tests.games.test_suit_yourself import ACES, KEEPING, KINGS, PASSES, started
from tests.positions import finished, position, positions

PAGE = page("suit_yourself")


def rows(*columns: str) -> list[list[str]]:
    """Return the rows of the page's table with these columns."""
    head = re.escape(f"| {' | '.join(columns)} |")
    table = re.search(rf"^{head}\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert table
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].splitlines()]


def test_tricks_on_the_page_are_right() -> None:
    """Winners and levels agree with the engine."""
    tricks = rows("Cards in order of play", "Trump", "Supertrump", "Alpha", "Winner")

    assert len(tricks) == 9
    for played, *levels, winner in tricks:
        cards = [INDEX[token] for token in played.strip("`").split()]
        suits = [SUIT_NAMES[SUITS[suit]] for suit in ladder_of(cards).suits[1:]]
        assert suits + ["–"] * (3 - len(suits)) == levels
        assert f"`{played.strip('`').split()[winner_of(cards)]}`" == winner


def test_round_on_the_page_is_scored_correctly() -> None:
    """The counts of cards in tricks and the points of bids agree with the engine."""
    players = rows("Player", "♣", "♦", "♥", "♠", "Bids", "Bids won", "Points")
    taken = [sum(int(count) << 4 * suit for suit, count in enumerate(row[1:5])) for row in players]
    bids = [[INDEX[token] for token in row[5].strip("`").split()] for row in players]
    points, won = round_scores([*zip(*bids, strict=True)], taken)

    assert [list(map(str, pair)) for pair in zip(won, points, strict=True)] == [row[6:] for row in players]
    assert sum(int(count) for row in players for count in row[1:5]) == 44


def test_values_on_the_page_are_right() -> None:
    """The table covers two to ace."""
    values = rows("Bid", "Points")

    assert values == [["two to ten", "2 to 10"], ["jack, queen, king", "10"], ["ace", "11"]]
    assert [bid_value(INDEX[token]) for token in ("2C", "TC", "JC", "QC", "KC", "AC")] == [2, 10, 10, 10, 10, 11]


def test_places_on_the_page_are_right() -> None:
    """Totals decide, then the last round, then its bids; faulted seats come last."""
    table = [
        [int(cell) for cell in row] for row in rows("Total", "Points in the last round", "Bids won in it", "Place")
    ]
    keys = [tuple(row[:3]) for row in table]
    state = finished(SuitYourself(), 1)

    assert state.game.ranks(keys) == [row[3] for row in table]
    assert state.game.ranks([keys[0], keys[0], keys[1], keys[3]]) == [1, 1, 3, 4]
    assert state.game.ranks(keys, faulted=[2]) == [1, 2, 4, 3]


def test_page_explains_every_key_of_the_view() -> None:
    """The page explains every phase with moves, too."""
    keys = {cell for row in rows("In the view", "What it is") for cell in re.findall(r"`(\w+)`", row[0])}
    phases = {state.phase for state in positions(SuitYourself({"target": 1}), 1)}  # type: ignore[attr-defined]

    assert keys == set(started().view(0))
    assert all(f"`{phase}`" in PAGE for phase in phases)


def seen(state: State, seat: int) -> SuitYourselfView:
    """Return the view as a bot reads it."""
    return SuitYourselfView(json.loads(json.dumps(state.view(seat))), time_left=1.5)


def test_view_properties_agree_with_the_position() -> None:
    """Authors can read every part of the view as a property."""
    state = started(f"2C AD AH AS {KEEPING} {KINGS} 6C 5C")
    view = seen(state, 2)

    assert (view.seat, view.phase, view.round, view.leader, view.time_left) == (2, "play", 0, 0, 1.5)
    assert view.hand == ["3C", "2D", *[rank + "H" for rank in "56789TJQ"], "4S"]
    assert (view.passing_to, view.chosen) == (None, None)
    assert view.passed == [(3, "2H"), (0, "3H"), (1, "4H")]
    assert view.received == [(1, "2D"), (0, "3C"), (3, "4S")]
    assert view.bids == [["2C", None], [None, None], ["AH", "KH"], [None, None]]
    assert view.two_of_clubs == (0, True)
    assert (view.trick, view.tricks) == (["6C", "5C"], [])
    assert view.levels == {"led": "C", "trump": None, "supertrump": None, "alpha": None}
    assert view.taken == [[0, 0, 0, 0]] * 4
    assert view.scores == view.last_points == view.last_won == [0, 0, 0, 0]
    assert view.winning(view.trick) == 0
    assert view.winning([*view.trick, "6H"]) == 2


def test_view_before_play() -> None:
    """The view shows the seat's own choice, the recipient, and nothing that has not happened yet."""
    view = seen(started(f"{ACES} 2C"), 0)

    assert (view.phase, view.passing_to, view.chosen) == ("pass", 1, "2C")
    assert (view.bids, view.two_of_clubs, view.leader) == ([["AC"], [None], [None], [None]], None, None)


def test_view_shows_tricks_and_the_previous_result() -> None:
    """The view has the finished tricks with their cards, and totals, points and bids won of the previous round."""
    state = position(SuitYourself(), 3, 64 + 20 + 9)
    view = seen(state, 1)

    assert view.round == 1
    assert [len(cards) for _, cards in view.tricks] == [4, 4]
    assert view.tricks[0][0] == (view.two_of_clubs or (None,))[0]
    assert sum(map(sum, view.taken)) == 8
    assert view.scores == view.last_points == state.scores()
    assert state.keys() == [*zip(view.scores, view.last_points, view.last_won, strict=True)]


def test_all_bids_are_visible_after_the_round() -> None:
    """Every seat sees them."""
    state = finished(SuitYourself(), 2)

    assert seen(state, 0).phase == "over"
    assert all(None not in bids for bids in seen(state, 0).bids)
    assert seen(state, 0).bids == seen(state, 3).bids


def events_of(seed: int) -> list[Event]:
    """Return the events of a match of one round."""
    events: list[Event] = []
    game = SuitYourself({"target": 1})
    for _ in positions(game, seed, game.start(events)):
        pass
    return events


def test_events_are_complete() -> None:
    """Events cover every card dealt, bid, passed, taken up, played and won, the bids at the end, and the result."""
    kinds = [event.kind for event in events_of(4)]

    assert {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)} == {
        "deal": 5, "bid": 10, "pass": 15, "take": 5, "reveal": 5, "play": 44, "trick": 11, "score": 1, "end": 1,
    }  # fmt: skip
    assert kinds[-2:] == ["score", "end"]


def test_hidden_cards_are_shown_to_the_right_seats() -> None:
    """Hands and bids are shown to their owners, passed cards to the giver and later to the recipient."""
    for event in events_of(5):
        hidden = event.kind in ("deal", "bid", "pass", "take") and event.cards
        assert event.seen_by == ((event.seat,) if hidden else None)
        assert not (hidden and any(card in event.text for card in event.cards))


def test_passed_cards_wait_before_their_recipients() -> None:
    """Three cards come to each seat's table, and go to its hand in one step."""
    events = events_of(6)
    passed = [event for event in events if event.kind == "pass" and event.target == "table:2"]
    taken = next(event for event in events if event.kind == "take" and event.seat == 2)

    assert [event.seat for event in passed] == [1, 0, 3]
    assert [card for event in passed for card in event.cards] == [*taken.cards]
    assert (taken.source, taken.target, taken.step) == ("table:2", "hand:2", False)


@pytest.mark.parametrize(
    ("moves", "text", "place"),
    [
        (f"{ACES} {PASSES} {KINGS}", "{1} shows 2C and leads.", "hand:1"),
        (f"{ACES} {PASSES} KC 2C KH KS", "{1} turns up the bid 2C and leads.", "bid:1"),
    ],
)
def test_two_of_clubs_is_turned_up_in_its_place(moves: str, text: str, place: str) -> None:
    """Every seat sees it from then on."""
    events: list[Event] = []
    state = started("", events=events)
    for token in moves.split():
        state.move(state.seat, token)

    assert events[-1] == Event("reveal", text, 1, ("2C",), place, place)


def test_levels_are_facts_of_the_trick() -> None:
    """A lead clears those of the previous trick, and each level is announced when its suit gets it."""
    for event in (event for event in events_of(7) if event.kind == "play"):
        announced = [level for level in LEVELS if event.facts.get(level)]
        assert event.facts.keys() <= {*LEVELS}
        assert len(event.facts) in (0, 1, 4)
        assert announced == (["led"] if len(event.facts) == 4 else list(event.facts))
        assert event.text.endswith(f" are {announced[0]}.") if len(event.facts) == 1 else ":" not in event.text


def test_bids_are_turned_up_and_explained_at_the_end() -> None:
    """The event gives the value of each."""
    events = events_of(8)
    shown = [event for event in events if event.kind == "reveal"][1:]
    score = next(event for event in events if event.kind == "score")
    points = [sum(map(int, re.findall(r"\((\d+) points\)", event.text))) for event in shown]

    assert [event.target for event in shown] == [f"bid:{seat}" for seat in range(4)]
    assert all(card in event.text for event in shown for card in event.cards)
    assert points == score.facts["score"]
