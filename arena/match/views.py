"""The decisions of a record with the views that the bots had, and the views that several matches share.

The records are the arena's own and are not checked again; `arena.match.replay` does that.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import msgspec

from arena.games.base import CHANCE, State
from arena.games.registry import game

PATIENCE: Final = 16
"""Number of moves in a row without a shared view, after which matches are read no further: their play has diverged."""

_encode: Final = msgspec.json.Encoder().encode


class Decision(NamedTuple):
    """A choice of a bot among several legal actions."""

    seat: int
    phase: str
    legal: int
    """Number of legal actions."""
    choice: int
    """Position of the chosen action among the legal ones."""
    view: bytes
    """The view as sent, encoded."""


class SharedView(NamedTuple):
    """A view that bots of several matches had, byte for byte."""

    phase: str
    legal: int
    view: bytes
    """The view as sent, encoded."""
    choices: Sequence[tuple[int, int, int]]
    """Number of the match, seat, and position of the chosen action."""
    move: int
    """Index of the move in all of these matches."""


def decisions(record: Mapping[str, Any]) -> Iterator[Decision | None]:
    """Yield the decision of each move in order; None for a forced move, or one that the arena made for a bot."""
    rules = game(record["game"], record["options"])
    state, boards = rules.start(), iter(record["boards"])
    faults = {fault["seat"]: fault["move"] for fault in record["faults"]}
    for index, (seat, token) in enumerate(record["moves"]):
        while state.seat == CHANCE:
            state.deal(rules.board_from_json(state.boards, next(boards)))
        action = rules.action(token)
        yield _decision(state, seat, action) if index < faults.get(seat, index + 1) else None
        state.apply(action)


def _decision(state: State, seat: int, action: int) -> Decision | None:
    legal = state.legal(seat)
    if len(legal) == 1:
        return None
    view = state.view(seat)
    return Decision(seat, view["phase"], len(legal), legal.index(action), _encode(view))


def shared_views(records: Sequence[Mapping[str, Any]]) -> Iterator[SharedView]:
    """Yield the views that bots of several of these matches had, as long as play is alike in any of them.

    Equal views stand at the same move of their matches, because a view tells how far the match has come.
    """
    silent = 0
    for move, step in enumerate(zip_longest(*map(decisions, records))):
        alike: dict[bytes, list[tuple[int, Decision]]] = {}
        for match, decision in enumerate(step):
            if decision:
                alike.setdefault(decision.view, []).append((match, decision))
        shared = [found for found in alike.values() if len(found) > 1]
        for found in shared:
            choices = [(match, decision.seat, decision.choice) for match, decision in found]
            _, first = found[0]
            yield SharedView(first.phase, first.legal, first.view, choices, move)
        silent = 0 if shared else silent + 1
        if silent == PATIENCE:
            return
