"""A match whose moves come one by one: the position after its last whole step, so that no choice is known early."""

from collections.abc import Callable, Sequence
from typing import Any

from arena.games.base import CHANCE, OVER, Board, Game
from arena.games.errors import Conflict, Refused, shown
from arena.games.events import Event
from arena.games.wording import NO_TURN
from arena.match.again import Logged
from arena.match.replay import steps_of
from arena.words import _

Moves = Sequence[tuple[int, Logged]]
"""Moves of a table with their numbers, in order."""


class Position:
    """A match after its last whole step."""

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
        """Play the moves of all whole steps, and skip moves that were played already."""
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

        A forced move is made for it.
        """
        actors = self.state.actors()
        awaited = seat in actors and seat not in self.chosen and len(self.state.legal(seat)) > 1
        return self.moves + actors.index(seat) if awaited else None

    def legal(self, seat: int) -> list[str]:
        """Return the tokens of the legal actions of a seat that is to move."""
        return [self.rules.token(action) for action in self.state.legal(seat)]

    def check(self, seat: int, number: int, token: str) -> None:
        """Raise `Conflict` if this move is not awaited from a seat, and `Refused` if the rules do not allow it."""
        awaited = self.number(seat)
        if awaited is None:
            raise Conflict(_(NO_TURN))
        if number != awaited:
            raise Conflict(
                _("Your next move has the number %(awaited)s, not %(number)s.", awaited=awaited, number=number)
            )
        legal = self.legal(seat)
        if token not in legal:
            allowed = " ".join(legal)
            raise Refused(_("%(move)s is not allowed now. Allowed: %(allowed)s.", move=shown(token), allowed=allowed))
