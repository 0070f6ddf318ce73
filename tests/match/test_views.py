"""Decisions of records, and views that several matches share."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from arena.games.registry import game
from arena.match.record import pack, unpack
from arena.match.views import PATIENCE, decisions, shared_views
from tests.match.players import Answer, Scripted, failing, last, played


def first(view: Mapping[str, Any]) -> str:
    """Return the first legal action."""
    return str(view["legal"][0])


def match(*answers: Answer, id: str = "suitability") -> tuple[dict[str, Any], list[Scripted]]:
    """Return the record of a match of these players on boards that are always the same, and the players."""
    seated = [Scripted(answer) for answer in answers]
    return unpack(pack(played(game(id, {"players": len(answers)}), seated).record)), seated


@pytest.mark.parametrize("id", ["suitability", "suit_yourself"])
def test_decisions_are_what_bots_were_asked(id: str) -> None:
    """The views are those that were sent, byte for byte, also in simultaneous steps; forced moves are left out."""
    record, players = match(last, first, last, first, id=id)
    found = [one for one in decisions(record) if one]

    for seat, player in enumerate(players):
        views = [json.loads(one.view) for one in found if one.seat == seat]
        assert views == json.loads(json.dumps(player.views))
    for one in found:
        view = json.loads(one.view)
        assert (one.phase, one.legal) == (view["phase"], len(view["legal"]))
        assert one.choice == (0 if one.seat % 2 else one.legal - 1)
    assert sum(1 for _ in decisions(record)) == len(record["moves"])


def test_moves_that_the_arena_made_are_no_decisions() -> None:
    """After its fault a bot decides nothing."""
    record, _ = match(failing("error", 2), last)

    assert sum(one is not None and one.seat == 0 for one in decisions(record)) == 2


def test_equal_matches_share_every_view() -> None:
    """All of their decisions are compared."""
    records = [match(last, first)[0] for _ in range(2)]
    shared = list(shared_views(records))

    assert len(shared) == sum(1 for one in decisions(records[0]) if one)
    assert all([number for number, _, _ in view.choices] == [0, 1] for view in shared)


def test_matches_share_the_views_before_they_diverge() -> None:
    """Seats are by match: the same view may be another bot's. Reading stops soon after play has diverged."""
    records = [match(last, first)[0], match(first, last)[0]]
    opening, *rest = shared_views(records)

    (one, seat, choice), (other, same, opposite) = opening.choices

    assert (one, other, seat) == (0, 1, same)
    assert {choice, opposite} == {0, opening.legal - 1}
    assert rest == []


def test_matches_without_shared_views_are_left() -> None:
    """Reading stops after some moves."""
    read = []

    class Counted(list[Any]):
        def __iter__(self) -> Any:
            for move in super().__iter__():
                read.append(move)
                yield move

    records = [match(last, first)[0], match(first, last)[0]]
    records[0]["moves"] = Counted(records[0]["moves"])
    moves: Sequence[Any] = list(shared_views(records))

    assert len(moves) == 1
    assert len(read) == 1 + PATIENCE
