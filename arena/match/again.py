"""A player that continues a match from the log of its moves."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.match.wrapped import Wrapped
from arena.sdk.faults import KINDS, Fault
from arena.sdk.player import Player, Reply


class Logged(NamedTuple):
    """A move in the log of a match."""

    seat: int
    token: str
    fault: str | None = None
    """Kind of the fault that made the arena take over the seat with this move."""


class Again(Wrapped):
    """A player that is asked all its earlier questions again, so that it knows what it knew.

    Its earlier answers stand, whatever it answers now, and cost no time. A fault in the log comes back at its move; a
    new one counts from the first new question.
    """

    def __init__(self, player: Player, moves: Sequence[Logged]) -> None:
        super().__init__(player)
        self._moves = list(reversed(moves))
        self._events: list[Mapping[str, Any]] = []
        self._logged: Logged | None = None
        self._asked = False
        self._failed: Fault | None = None

    @property
    def wants_forced(self) -> bool:
        return bool(self._moves) or self._player.wants_forced

    def ready(self) -> None:
        try:
            self._player.ready()
        except Fault as fault:
            self._fail(fault)

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self._events += events
        self._logged = self._moves.pop() if self._moves else None
        if self._logged and self._logged.fault:
            raise Fault(self._logged.fault, KINDS[self._logged.fault])
        if self._logged is None and self._failed:
            raise self._failed
        self._asked = not self._failed and (len(view["legal"]) > 1 or self._player.wants_forced)
        if self._asked:
            late, self._events = self._events, []
            self._try(lambda: self._player.ask(view, late, time_left))

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        if self._logged is None:
            return self._player.reply(watch)
        if self._asked and not self._failed:
            self._try(self._player.reply)
        return Reply(self._logged.token, 0.0, 0.0)

    def computed(self) -> float:
        return 0.0 if self._logged or self._failed else self._player.computed()

    def slept(self) -> float:
        return 0.0 if self._logged else self._player.slept()

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        if not self._failed:
            self._player.end([*self._events, *events], scores, ranks)

    def ended(self) -> None:
        if not self._failed:
            self._player.ended()

    def _try(self, act: Callable[[], object]) -> None:
        """Carry out an action of the player. Raises `Fault` only if it concerns a new question."""
        try:
            act()
        except Fault as fault:
            self._fail(fault)

    def _fail(self, fault: Fault) -> None:
        if self._logged is None and not self._moves:
            raise fault
        self._failed = fault
