"""Frames of a replay: what a page merges into the state of the table."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.match.frames import framed
from arena.match.position import positions
from arena.match.replay import replay
from tests.match.test_position import event, step

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))
FACTS = [
    {"key": "hand", "label": "Hand", "kind": "number", "per_seat": False},
    {"key": "score", "label": "Score", "kind": "number", "per_seat": True},
]


def said(**changes: Any) -> dict[str, Any]:
    """Return an event without a card, or with the cards of `changes`."""
    return {**event("", ""), "text": "Words.", "seat": 0, **changes}


def moved(source: str, target: str, *cards: str, **changes: Any) -> dict[str, Any]:
    """Return an event that moves cards."""
    return said(**{**event(source, target, *cards), **changes})


DEAL = step(
    said(kind="deal", facts={"hand": 1}),
    moved("stock", "hand:0", "7H", "9H", seen_by=[0]),
    moved("stock", "pile:H", "2H", "3H"),
)
PLAY = {**step(moved("hand:0", "table:0", "9H")), "move": 0}
TRICK = step(moved("table", "won:0", "9H", kind="trick", facts={"score": [1]}))


def frames(*steps: dict[str, Any], facts: list[dict[str, Any]] = FACTS) -> dict[str, Any]:
    """Return a replay of one seat as frames."""
    return framed({"facts": facts, "seats": [{"name": "one"}], "steps": list(steps)})


def tokens(match: dict[str, Any], at: int) -> dict[str, list[str]]:
    """Return the tokens in the places that a frame has."""
    cards = match["cards"]
    return {
        place: [cards[one]["token"] for one in held] for place, held in match["steps"][at].get("places", {}).items()
    }


def test_frame_has_what_changed() -> None:
    """A deal begins with all places, a later frame has those whose cards differ."""
    match = frames(DEAL, PLAY, TRICK, DEAL)

    assert tokens(match, 0) == {"hand:0": ["7H", "9H"], "pile:H": ["2H", "3H"]}
    assert tokens(match, 1) == {"hand:0": ["7H"], "table:0": ["9H"]}
    assert [one.get("facts") for one in match["steps"][:3]] == [{"hand": 1}, None, {"score": [1]}]
    assert tokens(match, 3) == tokens(match, 0)


def test_card_keeps_its_id_and_is_seen_by_more() -> None:
    """A card is one as long as it moves, and has a number for each set of seats that know it."""
    match = frames(DEAL, PLAY)
    before, after = (
        match["cards"][match["steps"][at]["places"][place][-1]] for at, place in enumerate(("hand:0", "table:0"))
    )

    assert (before["id"], before["seen"], after["seen"]) == (after["id"], [0], None)


def test_equal_cards_of_a_deal_have_ids_of_their_own() -> None:
    """Two cards with one token are two cards."""
    match = frames(step(moved("stock", "hand:0", "7", "7")))

    assert len({card["id"] for card in match["cards"]}) == 2


def test_ids_of_known_cards_do_not_count_hidden_ones() -> None:
    """A viewer's cards have the same IDs whatever others hold; without a viewer each card has its own."""
    own = moved("stock", "hand:1", "7", "9", seen_by=[1])
    match = [
        {"facts": FACTS, "seats": [], "steps": [step(moved("stock", "hand:0", *held, seen_by=[0]), own)]}
        for held in (("7", "7"), ("9", "2"))
    ]

    assert framed(match[0], 1) == framed(match[1], 1)
    assert [card["id"] for card in framed(match[0], 0)["cards"]] == ["7.0", "7.1", "?hand:1.0", "?hand:1.1"]
    assert [card["id"] for card in framed(match[0])["cards"]] == ["7.0", "7.1", "7.2", "9.0"]


def test_won_cards_lie_where_they_were_for_their_step() -> None:
    """The step that clears the table marks the winner; the next one draws an empty place."""
    match = frames(DEAL, PLAY, TRICK, step(said()))
    trick = match["steps"][2]

    assert tokens(match, 2) == {"won:0": ["9H"]}
    assert trick["cleared"] == {"table:0": True}
    assert trick["won"]["seat"] == 0
    assert tokens(match, 3) == {"table:0": []}


@pytest.mark.parametrize(("source", "cleared"), [("table", {"table:0": False}), ("hand", None)])
def test_discards_have_no_winner(source: str, cleared: dict[str, bool] | None) -> None:
    """Cards out of play clear the table, except those that come from a hand."""
    match = frames(DEAL, PLAY, step(moved(source, "discard", "7H", "9H")))

    assert match["steps"][2].get("cleared") == cleared
    assert "won" not in match["steps"][2]


def test_card_of_the_middle_wins_if_no_seat_does() -> None:
    """The first of the cleared cards wins, for example the one of a dummy."""
    laid = step(moved("pile:H", "West", "2H"), moved("hand:0", "table:0", "9H"))
    match = frames(DEAL, laid, step(moved("West", "discard", "2H"), moved("table", "discard", "9H")))

    assert match["steps"][2]["cleared"] == {"West": True, "table:0": False}


def test_deals_are_named_by_the_first_fact() -> None:
    """A deal without a number is extra; each has the scores at its end."""
    match = frames(DEAL, PLAY, TRICK, step(said(kind="deal")))

    assert match["deals"] == [
        {"step": 0, "name": "Hand 1", "scores": [1]},
        {"step": 3, "name": "Extra deal", "scores": [1]},
    ]


def test_room_counts_hands_cards_set_aside_and_piles() -> None:
    """The most cards at once count; a pile in the middle counts unless its suit belongs to one of several seats."""
    bid = step(moved("hand:0", "bid:0", "7H", "9H"))
    owned = [*FACTS, {"key": "suit", "label": "Suit", "kind": "suit", "per_seat": True}]

    assert frames(DEAL, bid)["room"] == {"cards": 2, "aside": 2, "piles": False, "middle": 1}
    assert frames(DEAL, facts=owned)["room"] == {"cards": 2, "aside": 0, "piles": True, "middle": 1}
    two = framed({"facts": owned, "seats": [{"name": "a"}, {"name": "b"}], "steps": [DEAL]})
    assert two["room"]["middle"] == 0


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_merged_frames_are_the_positions(path: Path) -> None:
    """The frames of a deal, one over the other, have the cards and facts of every position of every game."""
    data = replay(json.loads(path.read_bytes()))
    match = framed(data)
    starts = [deal["step"] for deal in match["deals"]]
    places: dict[str, list[int]] = {}
    facts: dict[str, Any] = {}

    for at, position in enumerate(positions(data["steps"])):
        frame = match["steps"][at]
        places = ({} if at in starts else places) | frame.get("places", {})
        facts |= frame.get("facts", {})
        shown = {place: [match["cards"][one]["token"] for one in held] for place, held in places.items()}
        assert shown == {place: [card.token for card in position.lying(place)] for place in position.places}
        assert facts == position.facts
    assert match["deals"][-1]["scores"] == data["scores"]
