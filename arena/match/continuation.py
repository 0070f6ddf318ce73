"""Positions of records: re-create one, and let bots play on from there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.games.base import Board, Game
from arena.games.chance import board_rng
from arena.match.wrapped import Wrapped
from arena.sdk.player import Player, Reply


class Resumed(Wrapped):
    """A player that first repeats the moves of a record and then lets a bot answer, with all its time left.

    The bot gets the events of the repeated moves with its first request.
    """

    def __init__(self, player: Player, moves: Sequence[str]) -> None:
        super().__init__(player)
        self._moves = list(reversed(moves))
        self._events: list[Mapping[str, Any]] = []
        self._answer: str | None = None

    @property
    def wants_forced(self) -> bool:
        return bool(self._moves) or self._player.wants_forced

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self._events += events
        self._answer = self._moves.pop() if self._moves else None
        if self._answer is None:
            self._player.ask(view, self._late(), time_left)

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        return self._player.reply(watch) if self._answer is None else Reply(self._answer, 0.0, 0.0)

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        self._events += events
        self._player.end(self._late(), scores, ranks)

    def _late(self) -> list[Mapping[str, Any]]:
        events, self._events = self._events, []
        return events


def resume(record: Mapping[str, Any], move: int, players: Sequence[Player]) -> list[Player]:
    """Return the players, who repeat the moves of a record before the one with this index."""
    before = record["moves"][:move]
    return [Resumed(player, [token for one, token in before if one == seat]) for seat, player in enumerate(players)]


def boards_of(record: Mapping[str, Any], rules: Game, seed: bytes) -> Callable[[int], Board]:
    """Return a function that returns a board of the record by its index, and draws those that it does not have."""

    def draw(index: int) -> Board:
        if index < len(record["boards"]):
            return rules.board_from_json(index, record["boards"][index])
        return rules.draw_board(index, board_rng(seed, index))

    return draw
