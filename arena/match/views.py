"""The decisions of a record with the views that the bots had, and the views that several matches share.

The records are the arena's own and are not checked again; `arena.match.replay` does that.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import msgspec

from arena.games.base import CHANCE, State
from arena.games.events import Event
from arena.match.record import game_of

PATIENCE: Final = 16
"""Number of moves in a row without a shared view, after which matches are read no further: their play has diverged."""

_encode: Final = msgspec.json.Encoder().encode


class Position(NamedTuple):
    """A move of a record and the state before it."""

    move: int
    """Index in the record."""
    seat: int
    action: str
    state: State
    """The state before the move. The next position has the same object, changed."""


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


def positions(record: Mapping[str, Any], events: list[Event] | None = None) -> Iterator[Position]:
    """Yield the moves in order, and append all events to `events`."""
    rules = game_of(record)
    state, boards = rules.start(events), iter(record["boards"])
    for index, (seat, token) in enumerate(record["moves"]):
        _deal(state, boards)
        yield Position(index, seat, token, state)
        state.apply(rules.action(token))
    _deal(state, boards)


def _deal(state: State, boards: Iterator[Any]) -> None:
    while state.seat == CHANCE:
        state.deal(state.game.board_from_json(state.boards, next(boards)))


def failed_from(record: Mapping[str, Any]) -> dict[int, int]:
    """Return the index of the first move that the arena made, for each seat with a fault."""
    return {fault["seat"]: fault["move"] for fault in record["faults"]}


def decisions(record: Mapping[str, Any]) -> Iterator[Decision | None]:
    """Yield the decision of each move in order; None for a forced move, or one that the arena made for a bot."""
    failed = failed_from(record)
    for move, seat, token, state in positions(record):
        yield _decision(state, seat, token) if move < failed.get(seat, move + 1) else None


def _decision(state: State, seat: int, token: str) -> Decision | None:
    legal = state.legal(seat)
    if len(legal) == 1:
        return None
    view = state.view(seat)
    return Decision(seat, view["phase"], len(legal), legal.index(state.game.action(token)), _encode(view))


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
