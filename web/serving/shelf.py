"""Values that are made once per change and kept for all threads of a process."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Final, Generic, TypeVar

T = TypeVar("T")

LONGEST: Final = 10.0
"""Maximum number of seconds for which a value that takes long to make is kept although it may have changed."""


@dataclass
class _Entry(Generic[T]):
    value: T
    size: int
    stamp: Hashable
    until: float


class Shelf(Generic[T]):
    """Values by key, the least recently used dropped first.

    A value is not checked again for `seconds`, nor for `rest` times as long as it took to make, so that making it again
    and again takes a bounded share of a core.
    """

    def __init__(self, limit: int, seconds: float, rest: float = 0.0) -> None:
        self._limit = limit
        self._seconds, self._rest = seconds, rest
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, _Entry[T]] = OrderedDict()
        self._turns: dict[Hashable, Lock] = {}
        self.size = 0
        """Sum of the sizes of all values, at most the limit."""

    def get(self, key: Hashable, stamp: Callable[[], Hashable], make: Callable[[], T], size: Callable[[T], int]) -> T:
        """Return the value of a key, made again if its stamp has changed.

        One thread at a time makes it; meanwhile others get the previous value, or wait if there is none.
        """
        entry = self._find(key)
        if entry is not None and monotonic() < entry.until:
            return entry.value
        turn = self._turns.setdefault(key, Lock())
        if not turn.acquire(blocking=entry is None):
            return entry.value  # type: ignore[union-attr]  # without an entry it blocks
        try:
            return self._checked(key, stamp, make, size)
        finally:
            self._turns.pop(key, None)
            turn.release()

    def fresh(self, key: Hashable) -> T | None:
        """Return the value of a key if it exists and need not be checked now."""
        entry = self._find(key)
        return entry.value if entry is not None and monotonic() < entry.until else None

    def _checked(
        self, key: Hashable, stamp: Callable[[], Hashable], make: Callable[[], T], size: Callable[[T], int]
    ) -> T:
        entry = self._find(key)
        if entry is not None and monotonic() < entry.until:
            return entry.value  # made while this thread waited for its turn
        now = stamp()  # before the value, which may be newer but not older
        if entry is None or entry.stamp != now:
            began = monotonic()
            value = make()
            entry = _Entry(value, size(value), now, 0.0)
            rest = min(self._rest * (monotonic() - began), LONGEST)
            self._keep(key, entry)
        else:
            rest = 0.0
        entry.until = monotonic() + max(self._seconds, rest)
        return entry.value

    def _find(self, key: Hashable) -> _Entry[T] | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: Hashable, entry: _Entry[T]) -> None:
        with self._lock:
            self._drop(key)
            if entry.size > self._limit:
                return
            self._kept[key] = entry
            self.size += entry.size
            while self.size > self._limit:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: Hashable) -> None:
        if dropped := self._kept.pop(key, None):
            self.size -= dropped.size
