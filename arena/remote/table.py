"""A table at which a bot of this machine plays."""

import time
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from random import getrandbits
from threading import Lock, Semaphore, Thread
from typing import Any, Final, NamedTuple

from arena.games.errors import ArenaError
from arena.remote.seats import Question, Result
from arena.sdk.faults import Fault
from arena.sdk.player import Player, Reply, Setup

NO_LIMIT: Final = 86400.0
"""Seconds that a bot may think at a table without a clock."""


class Moved(ArenaError):
    """The question is not open any more."""


class Hands(NamedTuple):
    """Services of the connection for a table."""

    new_player: Callable[[], Player]
    room: Semaphore
    """Limits the number of answers at a time."""
    send: Callable[[Question, Reply, Callable[[], bool]], bool]
    """Sends an answer while that is wanted; returns whether the arena took it."""
    say: Callable[[str], None]


class Table:
    """A table at play. A thread of its own asks the bot, so that a slow answer holds up no other table."""

    def __init__(self, code: str, hands: Hands) -> None:
        self.code = code
        self.latest: Question | None = None
        self.times: list[float] = []
        """Seconds of each answer."""
        self.errors = 0
        """Number of failures of the bot."""
        self.heard = time.monotonic()
        """When the arena last mentioned the table."""
        self._hands = hands
        self._awaited: int | None = None
        """Number of the question that is being answered."""
        self._lock = Lock()
        """Guards the number: both the connection and the thread change it."""
        self._answers: dict[int, Reply] = {}
        self._events: list[dict[str, Any]] = []
        """All events that have come."""
        self._unheard: list[dict[str, Any]] = []
        """Those that the bot has not heard yet."""
        self._player: Player | None = None
        self._failed = False
        self._work: SimpleQueue[Question | Result | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=f"table {code}", daemon=True)
        self._thread.start()

    @property
    def thinks(self) -> bool:
        """Whether a question is being answered."""
        return self._awaited is not None

    def ask(self, question: Question) -> None:
        """Answer a question, unless that is being done already. A newer one ends the work on an older one."""
        self.heard = time.monotonic()
        with self._lock:
            if self.thinks and (question.number == self._awaited or question.number in self._answers):
                return
            self._awaited, self.latest = question.number, question
        if question.late:
            self._hands.say(f"{self.code}: too late {question.late} times in a row; with the third the seat is lost")
        self._work.put(question)

    def end(self, result: Result | None = None) -> None:
        """Pass the result to the bot, if there is one, and end it. Does not wait."""
        with self._lock:
            self._awaited = None
        self._work.put(result)

    @property
    def alive(self) -> bool:
        """Whether the bot has not ended yet."""
        return self._thread.is_alive()

    def join(self, patience: float | None = None) -> None:
        """Wait until the bot has ended."""
        self._thread.join(patience)

    def _run(self) -> None:
        try:
            while isinstance(work := self._work.get(), Question):
                with suppress(Moved):
                    self._answer(work)
            if work and work.scores and not self._failed:
                self._report(work)
        finally:
            self._close()

    def _answer(self, question: Question) -> None:
        """Send the bot's answer. A question that comes again gets the same one."""
        number = question.number
        self._hear(question.events)
        if number not in self._answers or self._answers[number].action not in question.legal:
            self._answers[number] = self._reply(question)
        if not self._hands.send(question, self._answers[number], lambda: self._awaited == number):
            del self._answers[number]
        with self._lock:
            if self._awaited == number:
                self._awaited = None

    def _hear(self, events: list[dict[str, Any]]) -> None:
        """Keep the events that are new: an arena that does not know the cursor sends all from the start."""
        known = len(self._events)
        new = events[known:] if known and events[:known] == self._events else events
        self._events += new
        self._unheard += new

    def _news(self) -> list[dict[str, Any]]:
        """Return the events that the bot has not heard yet."""
        news, self._unheard = self._unheard, []
        return news

    def _reply(self, question: Question) -> Reply:
        """Return the bot's answer, or the first legal action if it fails. Raises `Moved`."""
        legal = question.legal
        first = Reply(legal[0], 0.0, 0.0)
        if self._failed:
            return first
        with self._hands.room:
            began = time.monotonic()
            try:
                reply = self._asked(question)
                if reply.action not in legal:
                    raise Fault("illegal", f"act returned {reply.action[:80]!r}; legal were {' '.join(legal)}")
            except Moved:
                raise
            except Exception as error:  # also of ours: one table must not end another one
                self._fail(error if isinstance(error, Fault) else Fault("error", f"{type(error).__name__}: {error}"))
                reply = first
            self.times.append(time.monotonic() - began)
        return reply

    def _asked(self, question: Question) -> Reply:
        """Return the bot's answer. Raises `Fault` and `Moved`."""

        def watch() -> None:
            if self._awaited != question.number:
                raise Moved

        watch()
        if self._player is None:
            self._player = self._hands.new_player()
            seats = question.seats
            self._player.start(Setup(question.game, question.options, question.seat, seats, getrandbits(53)))
            self._player.ready()
        left = NO_LIMIT if question.time is None else question.time
        self._player.ask(question.view, self._news() if self._player.wants_events else [], left)
        reply = self._player.reply(watch)
        watch()
        return reply

    def _fail(self, fault: Fault) -> None:
        self._failed = True
        self.errors += 1
        self._hands.say(f"{self.code}: {fault}{fault.place}; from now on the first legal action is played")
        self._close()

    def _report(self, result: Result) -> None:
        self._hear(result.events)
        if self._player:
            self._player.end(self._news(), result.scores or (), result.ranks or ())
            self._player.ended()

    def _close(self) -> None:
        if self._player:
            self._player.close()
            self._player = None
