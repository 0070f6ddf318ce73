"""The position of a live table, from its rows."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from arena.db.models import LiveBoards, LiveMove
from arena.games.base import Board, Game
from arena.games.chance import board_rng
from arena.games.registry import stored_game, variant
from arena.match.again import Logged
from arena.match.live import Moves, Position

_LOG: Final = (  # built once: every request at a table executes it
    select(LiveMove.number, LiveMove.seat, LiveMove.token, LiveMove.fault)
    .where(LiveMove.table_id == bindparam("table"), LiveMove.number >= bindparam("first"))
    .order_by(LiveMove.number)
)


def rules_of(boards: LiveBoards) -> Game:
    """Return the rules of a live table. Raises `OptionError` if its variant is not offered."""
    return stored_game(variant(boards.variant).game, boards.options)


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
