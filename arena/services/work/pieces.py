"""Pieces: urgent work has some seconds for itself; then it gives way to the urgent work of others."""

from collections.abc import Callable
from typing import Final

from arena.sdk.player import Player
from arena.services.play.seats import BotCage, Within
from arena.services.queue.announcements import PIECE
from arena.services.queue.keeper import Keeper

LONGEST: Final = 2 * PIECE
"""Seconds after which urgent work that interrupts other work is broken off."""


class PieceOver(Exception):
    """The work has used its time. What it has stored or finished is kept, and the rest is queued again."""


class Piece(Within):
    """A cage that measures the time that all bots of a piece of urgent work compute and sleep.

    Waits for a busy machine do not count, so they make no quick bot slow. Urgent work that interrupts nothing
    may be interrupted once it has lasted `PIECE` seconds. Work that interrupts other work (`outer`) cannot be
    interrupted, and is broken off after `LONGEST`.
    """

    def __init__(
        self, cage: BotCage, keeper: Keeper, between_moves: Callable[[Keeper], None], outer: Keeper | None
    ) -> None:
        self.broken_off = False
        """Whether it was ended in the middle of something, which must be done again."""
        super().__init__(cage)
        self._keeper, self._between_moves, self._outer = keeper, between_moves, outer
        self._players: list[Player] = []

    def player(self, source: bytes, *, seat: int) -> Player:
        """Start a player. See `BotCage.player`."""
        self._players.append(self.cage.player(source, seat=seat))
        return self._players[-1]

    def beat(self) -> None:
        """Report that the work is alive. Raises `LeaseLost` and `PieceOver`."""
        self._keeper.heartbeat()
        seconds = self._seconds()
        if self._outer is None and seconds >= PIECE:
            self._between_moves(self._keeper)
        if self._outer is not None and seconds >= LONGEST:
            self.broken_off = True
            raise PieceOver

    def rest(self) -> None:
        """Raise `PieceOver` if it is time to stop, at a place where nothing is lost."""
        if self._seconds() >= PIECE:
            raise PieceOver

    def _seconds(self) -> float:
        return sum(player.spent() for player in self._players)
