"""A hall: cages for many tables at the same time, which threads share."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, repeat
from threading import Lock
from typing import Final

from arena.sandbox.cage import Cage, Caged

FIRST: Final = 18
"""First seat for bots of a hall; those before it belong to a single table, and to building and loading bots."""
BEYOND: Final = 63
"""Seat after the last one; it is used to probe layers."""
ROOM: Final = BEYOND - FIRST
"""Number of bots that fit into one cage."""


@dataclass
class _Wing:
    """A cage, and the seats in it that are taken."""

    cage: Cage
    taken: set[int] = field(default_factory=set)
    lock: Lock = field(default_factory=Lock)
    """Held while a bot is started: a cage starts one at a time."""

    def free(self, count: int) -> range | None:
        """Return the first free seats in a row, `count` of them."""
        rows = (range(first, first + count) for first in range(FIRST, BEYOND - count + 1))
        return next((row for row in rows if self.taken.isdisjoint(row)), None)


class Place:
    """The seats of one table in a hall; implements `arena.services.play.seats.BotCage` but for `inspect`."""

    def __init__(self, wing: _Wing, seats: range) -> None:
        self._wing = wing
        self._seats = chain(seats, repeat(seats[-1]))

    @property
    def level(self) -> str:
        """Strictest minimum that the layers around the bots meet. Raises `ArenaFault`."""
        with self._wing.lock:
            return self._wing.cage.level

    @property
    def packages(self) -> Mapping[str, str]:
        """Versions of Python and of the packages that bots can import, by name. Raises `ArenaFault`."""
        with self._wing.lock:
            return self._wing.cage.packages

    def player(self, source: bytes) -> Caged:
        """Start a process for the next bot of the table. Raises `ArenaFault`.

        More bots than there are seats take the last one, each once the bot before has ended.
        """
        with self._wing.lock:
            return self._wing.cage.player(source, seat=next(self._seats))


class Hall:
    """Cages that are opened and closed as tables need them. `make` returns a new cage for `ROOM` bots."""

    def __init__(self, make: Callable[[], Cage]) -> None:
        self._make = make
        self._wings: list[_Wing] = []
        self._lock = Lock()

    @contextmanager
    def place(self, bots: int) -> Iterator[Place]:
        """Keep seats for the bots of a table, at least one. The bots must have ended when the block ends."""
        wing, seats = self._reserve(max(bots, 1))
        try:
            yield Place(wing, seats)
        finally:
            self._vacate(wing, seats)

    def close(self) -> None:
        """Stop all bots."""
        with self._lock:
            for wing in self._wings:
                with wing.lock:
                    wing.cage.close()

    def _reserve(self, bots: int) -> tuple[_Wing, range]:
        with self._lock:
            for wing in self._wings:
                if (seats := wing.free(bots)) is not None:
                    break
            else:
                wing, seats = _Wing(self._make()), range(FIRST, FIRST + bots)
                self._wings.append(wing)
            wing.taken.update(seats)
            return wing, seats

    def _vacate(self, wing: _Wing, seats: range) -> None:
        with self._lock:
            wing.taken.difference_update(seats)
            if not wing.taken:
                self._wings.remove(wing)
                wing.cage.close()
