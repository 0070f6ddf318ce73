"""Positions after the steps of a replay."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.match.position import PUBLIC, Placed, fullest_step, position_after
from arena.match.replay import replay

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))


def event(
    source: str, target: str, *cards: str, seen_by: list[int] | None = None, kind: str = "play"
) -> dict[str, Any]:
    """Return an event that moves cards."""
    return {"kind": kind, "source": source, "target": target, "cards": list(cards), "seen_by": seen_by, "facts": {}}


def step(*events: dict[str, Any]) -> dict[str, Any]:
    """Return a step of a replay."""
    return {"move": None, "events": list(events)}


DEAL = step(
    event("stock", "hand:0", "AS", "KS", seen_by=[0], kind="deal"),
    event("stock", "hand:1", "QS", "JS", seen_by=[1], kind="deal"),
    event("stock", "centre", "2S", "3S", kind="deal"),
)


def seen(card: Placed) -> str:
    """Return who knows a card: of seat 0, seat 1 and a spectator."""
    return "".join("01p"[number] for number, viewer in enumerate((0, 1, PUBLIC)) if card.known_to(viewer))


def test_cards_are_known_to_those_who_saw_them() -> None:
    """A hand is known to its seat, a played card to all, a passed one to giver and taker."""
    position = position_after(
        [DEAL, step(event("hand:0", "table:0", "AS")), step(event("hand:0", "hand:1", "KS", seen_by=[0, 1]))], 2
    )

    assert {place: [(one.token, seen(one)) for one in cards] for place, cards in position.places.items()} == {
        "hand:0": [],
        "hand:1": [("QS", "1"), ("JS", "1"), ("KS", "01")],
        "centre": [("2S", "01p"), ("3S", "01p")],
        "table:0": [("AS", "01p")],
    }


def test_open_card_stays_known_when_it_is_taken_in_secret() -> None:
    """Everyone saw it in the centre, so everyone knows where it is."""
    position = position_after([DEAL, step(event("centre", "hand:0", "2S", seen_by=[0]))], 1)

    assert [seen(card) for card in position.places["hand:0"]] == ["0", "0", "01p"]


def test_secret_discard_from_an_open_hand_hides_the_rest() -> None:
    """Open cards of a hand are turned down when one leaves it in secret, because the rest would tell which."""
    steps = [DEAL, step(event("hand:0", "hand:0", "AS", "KS")), step(event("hand:0", "discard", "AS", seen_by=[0]))]

    assert [seen(card) for card in position_after(steps, 1).places["hand:0"]] == ["01p", "01p"]
    position = position_after(steps, 2)
    assert [seen(card) for card in position.places["hand:0"] + position.places["discard"]] == ["0", "0"]


def test_won_trick_is_swept_from_the_table() -> None:
    """The step that wins a trick still shows it, and the next does not."""
    plays = step(event("hand:0", "table:0", "AS"), event("hand:1", "table:1", "QS"))
    steps = [DEAL, plays, step(event("table", "won:0", "AS", "QS")), step(event("hand:0", "table:0", "KS"))]

    assert [card.token for card in position_after(steps, 2).lying("table:1")] == ["QS"]
    assert [card.token for card in position_after(steps, 3).lying("table:0")] == ["KS"]
    assert [card.token for card in position_after(steps, 3).places["won:0"]] == ["AS", "QS"]
    assert fullest_step(steps) == 1


def test_facts_last_over_deals_and_cards_do_not() -> None:
    """A new deal begins with empty places, and with the facts before it."""
    scored = {**event("", ""), "facts": {"score": [1, 2]}}

    position = position_after([DEAL, step(event("hand:0", "table:0", "AS")), step(scored), DEAL], 3)
    assert position.facts == {"score": [1, 2]}
    assert sorted(position.places) == ["centre", "hand:0", "hand:1"]


def test_replay_without_a_deal() -> None:
    """A card that comes from nowhere, and a step without events, are drawn as far as they go."""
    position = position_after([step(), step(event("", "pile:H", "AS", seen_by=[]))], 1)

    assert [seen(card) for card in position.places["pile:H"]] == [""]
    assert fullest_step([step()]) == 0


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_game_has_a_full_table(path: Path) -> None:
    """The step that represents a match shows a card in front of every seat, and no card is at two places."""
    data = replay(json.loads(path.read_bytes()))
    position = position_after(data["steps"], fullest_step(data["steps"]))
    lying = [card.token for cards in position.places.values() for card in cards]

    assert all(position.lying(f"table:{seat}") for seat in range(len(data["seats"])))
    assert data["game"]["deck"] == "ranks" or len(set(lying)) == len(lying)
