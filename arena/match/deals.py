"""The deals of a record: where the replay begins each, and what each seat scored in it."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from arena.games.events import Event
from arena.match.replay import steps_of
from arena.match.views import positions


class Deals(NamedTuple):
    """The deals of one match."""

    starts: list[int]
    """Index of the replay's step that begins each deal."""
    scores: list[list[int]]
    """Points of each deal, by seat."""


def deals_of(record: Mapping[str, Any]) -> Deals:
    """Return the deals of a record with at least one board."""
    events: list[Event] = []
    totals: list[list[int]] = []
    boards = 0
    for _, _, _, state in positions(record, events):
        if state.boards > boards:
            totals.append(state.scores())
            boards = state.boards
    totals.append(state.scores())
    scores = [[after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(totals)]
    steps = steps_of(events, {})
    return Deals([number for number, step in enumerate(steps) if step["events"][0]["kind"] == "deal"], scores)
