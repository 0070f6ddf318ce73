"""The log of a live table in its host: moves from the database, moves to write there, and people who are awaited."""

from collections.abc import Sequence
from threading import Condition

from arena.match.again import Logged
from arena.match.referee import Failure


class Stopped(Exception):
    """The host stops playing a table, which can go on elsewhere or later."""


class Log:
    """The moves of one table. A thread plays it, and another one tells it of people's moves."""

    def __init__(self) -> None:
        self._moves: dict[int, Logged] = {}
        self._count = 0
        """Number of moves that the match has made."""
        self._unwritten: list[tuple[int, Logged]] = []
        self._stopped = False
        self._changed = Condition()

    def put(self, number: int, move: Logged) -> bool:
        """Add a move that is in the database. Returns whether it is new."""
        if number in self._moves:
            return False
        with self._changed:
            self._moves.setdefault(number, move)
            self._changed.notify_all()
        return True

    def stop(self) -> None:
        """Let `answer` raise `Stopped` from now on, also where it waits."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def note(self, moves: Sequence[tuple[int, str]], failures: Sequence[Failure | None]) -> None:
        """Add the moves of a step as `arena.match.referee.Note` receives them."""
        with self._changed:
            for seat, token in moves:
                if self._count not in self._moves:
                    failure = failures[seat]
                    fault = failure.fault.kind if failure and failure.move == self._count else None
                    self._moves[self._count] = Logged(seat, token, fault)
                    self._unwritten.append((self._count, self._moves[self._count]))
                self._count += 1

    def take(self) -> list[tuple[int, Logged]]:
        """Return the moves that are to be written, and forget that they are."""
        taken, self._unwritten = self._unwritten, []
        return taken

    def answer(self, seat: int, timeout: float) -> Logged | None:
        """Return the move that a seat has made in the step at hand, waiting for it; None after the timeout in seconds.

        A seat makes one move in a step, and writes it before the others have made theirs. Raises `Stopped`.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._next(seat) is not None, timeout)
            if self._stopped:
                raise Stopped
            return self._next(seat)

    def _next(self, seat: int) -> Logged | None:
        """Return the first move of a seat that the match has not made; at most one step is open."""
        for number in range(self._count, self._count + 8):
            move = self._moves.get(number)
            if move and move.seat == seat:
                return move
        return None
