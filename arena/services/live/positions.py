"""The position of a live table after its last whole step, so that no choice is known early."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from arena.db.models import LiveBoards, LiveMove
from arena.games.base import CHANCE, OVER, Board, Game
from arena.games.chance import board_rng
from arena.games.events import Event
from arena.games.registry import game, variant
from arena.match.again import Logged
from arena.match.replay import steps_of

Moves = Sequence[tuple[int, Logged]]
"""Moves of a table with their numbers, in order."""

_LOG: Final = (  # built once: every request at a table executes it
    select(LiveMove.number, LiveMove.seat, LiveMove.token, LiveMove.fault)
    .where(LiveMove.table_id == bindparam("table"), LiveMove.number >= bindparam("first"))
    .order_by(LiveMove.number)
)


class Position:
    """A live table after its last whole step."""

    def __init__(self, rules: Game, draw: Callable[[int], Board]) -> None:
        """`draw` returns a board by its index (`drawer`). The first one is drawn by `advance`."""
        self.rules, self._draw = rules, draw
        self._events: list[Event] = []
        self._marks: dict[int, int] = {}
        """Index of the move that an event shows, by the index of the event."""
        self.state = rules.start(self._events)
        self.moves = 0
        """Number of moves in whole steps."""
        self.chosen: dict[int, str] = {}
        """Tokens, by seat, of choices in the step that is not whole."""

    def advance(self, moves: Moves) -> None:
        """Play the moves, as far as all moves of a step are there. Those that were played already are left out."""
        by_number = dict(moves)
        self.chosen = {}
        while not self.over:
            if self.state.seat == CHANCE:
                self.state.deal(self._draw(self.state.boards))
                continue
            actors = self.state.actors()
            numbered = {seat: by_number.get(number) for number, seat in enumerate(actors, self.moves)}
            step = {seat: move for seat, move in numbered.items() if move}
            if len(step) < len(actors):
                self.chosen = {seat: move.token for seat, move in step.items()}
                break
            for move in step.values():
                self._marks[len(self._events)] = self.moves
                self.state.apply(self.rules.action(move.token))
                self.moves += 1

    def take_steps(self) -> list[dict[str, Any]]:
        """Return the steps since the last call, as `arena.match.replay.steps_of` does."""
        steps = steps_of(self._events, self._marks)
        self._events.clear()
        self._marks.clear()
        return steps

    def events_since(self, moves: int) -> list[Event]:
        """Return the events since the position after `moves` moves; all events if the number is negative.

        Events that `take_steps` has taken are left out.
        """
        later = (index for index, number in self._marks.items() if number >= moves)
        return self._events if moves < 0 else self._events[min(later, default=len(self._events)) :]

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.state.seat == OVER

    def number(self, seat: int) -> int | None:
        """Return the number of the move that is awaited from a person's seat; None if none is.

        The host makes a forced move by itself.
        """
        actors = self.state.actors()
        awaited = seat in actors and seat not in self.chosen and len(self.state.legal(seat)) > 1
        return self.moves + actors.index(seat) if awaited else None

    def legal(self, seat: int) -> list[str]:
        """Return the tokens of the legal actions of a seat that is to move."""
        return [self.rules.token(action) for action in self.state.legal(seat)]


def rules_of(boards: LiveBoards) -> Game:
    """Return the rules of a live table. Raises `OptionError` if its variant is not offered."""
    return game(variant(boards.variant).game, boards.options)


def drawer(rules: Game, seed: bytes) -> Callable[[int], Board]:
    """Return the function that draws a board by its index."""
    return lambda index: rules.draw_board(index, board_rng(seed, index))


def log_of(session: Session, table_id: int, first: int = 0) -> Moves:
    """Return the moves that a table has made, from the number `first` on."""
    rows = session.execute(_LOG, {"table": table_id, "first": first})
    return [(row.number, Logged(row.seat, row.token, row.fault)) for row in rows]


def whole(moves: Moves) -> list[Logged]:
    """Return the moves from the first on as far as none is missing."""
    return [move for index, (number, move) in enumerate(moves) if number == index]


def position(rules: Game, draw: Callable[[int], Board], moves: Moves) -> Position:
    """Return the position after these moves."""
    made = Position(rules, draw)
    made.advance(moves)
    return made
