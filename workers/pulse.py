"""The pulse of a process: reports its state to the database, from a thread of its own.

The thread shows that the process lives. What the process achieves is noted by the code that works: `active` when it
takes a doorbell or receives a bot's move, `held` when a bot has run. So a process that no doorbell reaches, or that can
hold no bot, is seen although it lives.
"""

import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

import structlog

from arena.services.base.context import Arena
from arena.services.base.measures import samples
from arena.services.base.states import ProcessState
from arena.services.health import heartbeats
from arena.services.health.heartbeats import EVERY, Sign

PATIENCE: Final = 2.0
"""Seconds for which the end of a process waits for its thread: the database may not answer."""

log: Final = structlog.get_logger()


def own_name() -> str:
    """Return the name of this process in the database."""
    return f"{socket.gethostname()}:{os.getpid()}"


class Pulse:
    """State of this process, and the thread that reports it every few seconds and at once if it is paused or out."""

    def __init__(self, arena: Arena, name: str, kind: str = "worker") -> None:
        self._arena, self._name, self._kind = arena, name, kind
        self._state, self._detail, self._since = ProcessState.IDLE, "", time.monotonic()
        self._changed, self._ended = Event(), Event()
        self._thread: Thread | None = None
        self._failing = False
        self.active: float | None = None
        """Time of the last doorbell or move by the monotonic clock, in seconds."""
        self.held: float | None = None
        """Time at which a bot last ran, by the same clock."""
        self._packages: Mapping[str, str] | None = None
        self._refused: Mapping[str, str] | None = None

    def enter(self, state: ProcessState, detail: str = "") -> None:
        """Change the state; `detail` is what the process works on, or why it is paused or out."""
        if (state, detail) == (self._state, self._detail):
            return
        self._state, self._detail, self._since = state, detail, time.monotonic()
        if state in (ProcessState.PAUSED, ProcessState.OUT):
            self._changed.set()

    @contextmanager
    def busy(self, detail: str) -> Iterator[None]:
        """Be busy in this block, and idle after it."""
        self.note()
        self.enter(ProcessState.BUSY, detail)
        try:
            yield
        finally:
            self.enter(ProcessState.IDLE)

    def note(self) -> None:
        """Note that a doorbell has been taken."""
        self.active = time.monotonic()

    def move(self) -> None:
        """Note that a bot has made a move."""
        self.active = self.held = time.monotonic()

    def hold(self, packages: Mapping[str, str], refused: Mapping[str, str]) -> None:
        """Note that bots have run, the packages that they could import, and why others are refused."""
        self.held = time.monotonic()
        self._packages, self._refused = packages, dict(refused)

    def sign(self) -> Sign:
        """Return the current sign of life."""
        return Sign(
            self._name, self._kind, self._state, self._detail, time.monotonic() - self._since, _age(self.active),
            _age(self.held), samples(self._arena.settings.home), self._packages, self._refused,
        )  # fmt: skip

    def beat(self) -> None:
        """Report now. A failure is logged, but not each time: the database may be away for long."""
        self._try(lambda: heartbeats.report(self._arena, self.sign()))

    def rehearse(self) -> None:
        """Report and leave, so that processes which are forked afterwards share what reports need."""
        self.beat()
        self._leave()

    def start(self) -> None:
        """Report from now on."""
        self._thread = Thread(target=self._run, name="pulse", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop reporting, and remove this process from the database."""
        self._ended.set()
        self._changed.set()
        if self._thread:
            self._thread.join(PATIENCE)
            self._leave()

    def _leave(self) -> None:
        self._try(lambda: heartbeats.leave(self._arena, self._name))

    def _run(self) -> None:
        while not self._ended.is_set():
            self.beat()
            self._changed.wait(EVERY)
            self._changed.clear()

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            if not self._failing:
                log.warning("heartbeat not stored", reason=type(error).__name__)
            self._failing = True
        else:
            self._failing = False


def _age(moment: float | None) -> float | None:
    return None if moment is None else time.monotonic() - moment
