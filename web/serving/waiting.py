"""Requests that wait for a change without a thread each.

A view that has nothing new to answer asks to wait. The server then drops its response, and asks the application again
when something has changed or the time is up.
"""

import time
from collections.abc import Callable, Collection, Hashable
from functools import partial
from threading import Condition, Thread
from typing import Final, NamedTuple

import structlog
from flask import current_app, request

WAITING: Final = "arena.waiting"
"""Key, in the environment of a request, of what the server knows of its waiting."""
LOOK_EVERY: Final = 0.015
"""Seconds between two looks for changes while requests wait."""
MOST: Final = 600
"""Number of requests that may wait in a process; further ones are answered at once."""
SHARE: Final = 8
"""Number of them with the same key."""
KEPT: Final = 10_000
"""Number of keys whose latest change is remembered."""

log: Final = structlog.get_logger()


class Waiting:
    """State of a request that may wait."""

    def __init__(self) -> None:
        self.until: float | None = None
        """Time until which it waits at most, by the monotonic clock; None before it has asked to wait."""
        self.enter: Callable[[Callable[[], None]], None] | None = None
        """Makes it wait, given the function that has it answered again; None if its response counts."""


class _Guest(NamedTuple):
    key: Hashable
    until: float
    wake: Callable[[], None]


class Room:
    """The requests of a process that wait. `changes` returns the keys that have changed since it was last called."""

    def __init__(self, changes: Callable[[], Collection[Hashable]]) -> None:
        self._changes = changes
        self._guests: list[_Guest] = []
        self._changed: dict[Hashable, int] = {}
        """Number of the latest change of a key."""
        self._count = 0
        self._wanted = Condition()
        self._watched = 0.0
        """Time until which changes are noted, by the monotonic clock."""
        self._thread: Thread | None = None
        self.closed = False

    def mark(self, seconds: float) -> int:
        """Return the number of changes so far, and note further ones for a while. Call it before looking for news."""
        with self._wanted:
            self._watched = max(self._watched, time.monotonic() + seconds + 1.0)
            if self._thread is None:
                self._changes()  # only what comes now is news
                self._thread = Thread(target=self._watch, name="waiting", daemon=True)
                self._thread.start()
            self._wanted.notify()
            return self._count

    def enter(self, key: Hashable, mark: int, until: float, wake: Callable[[], None]) -> None:
        """Call `wake` when a key changes, at once if it has changed since the mark, or when the time is up."""
        with self._wanted:
            if self._changed.get(key, 0) <= mark and not self.closed:
                self._guests.append(_Guest(key, until, wake))
                return
        wake()

    def is_full(self, key: Hashable) -> bool:
        """Return whether no other request with this key may wait."""
        guests = self._guests
        return len(guests) >= MOST or sum(guest.key == key for guest in guests) >= SHARE

    def close(self) -> None:
        """Have all requests answered: the process ends."""
        with self._wanted:
            self.closed = True
            guests, self._guests = self._guests, []
        for guest in guests:
            guest.wake()

    def _watch(self) -> None:
        while not self.closed:
            with self._wanted:
                if time.monotonic() > self._watched:
                    self._wanted.wait(60.0)
            try:
                self._wake(self._changes())
            except Exception:
                log.exception("waiting requests: a look for changes failed")
                time.sleep(1.0)
            time.sleep(LOOK_EVERY)

    def _wake(self, keys: Collection[Hashable]) -> None:
        moment = time.monotonic()
        with self._wanted:
            self._count += 1
            self._changed.update(dict.fromkeys(keys, self._count))
            while len(self._changed) > KEPT:
                del self._changed[next(iter(self._changed))]
            woken, kept = list[_Guest](), list[_Guest]()
            for guest in self._guests:
                (woken if guest.key in keys or guest.until <= moment else kept).append(guest)
            self._guests = kept
        for guest in woken:
            guest.wake()


def room() -> Room:
    """Return the room of this process."""
    return current_app.extensions["waiting"]  # type: ignore[no-any-return]


def mark(seconds: float) -> int:
    """Return a mark for `wait`, to be taken before looking for news."""
    return room().mark(seconds) if WAITING in request.environ else 0


def waits_again() -> bool:
    """Return whether the request has waited: it was counted then."""
    waiting: Waiting | None = request.environ.get(WAITING)
    return waiting is not None and waiting.until is not None


def wait(key: Hashable, mark: int, seconds: float) -> bool:
    """Have the request answered again when a key changes after the mark, or at the end of its time.

    The time is `seconds` from the first call for this request. Returns False if the time is up, or the server has no
    room for it.
    """
    waiting: Waiting | None = request.environ.get(WAITING)
    here = room()
    if waiting is None or here.closed or here.is_full(key):
        return False
    if waiting.until is None:
        waiting.until = time.monotonic() + seconds
    if waiting.until <= time.monotonic():
        return False
    waiting.enter = partial(here.enter, key, mark, waiting.until)
    return True
