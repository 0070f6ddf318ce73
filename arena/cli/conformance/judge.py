"""Faults of a client, in sentences."""

import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Final

from arena.cli.conformance.tables import MockTable
from arena.cli.conformance.troubles import Trouble
from arena.remote.seats import Asked

EARLY: Final = 0.9
"""Part of a pause after which the next request is not called early: clocks differ."""
OFTEN: Final = 10
"""Number of requests for questions within a second, without news, that are too many."""


class Judge:
    """Notes what a client does wrong."""

    def __init__(self, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`patience` is the number of seconds within which a client asks or answers."""
        self._found: dict[str, tuple[str, int]] = {}
        """The first sentence of each kind, and how many there were."""
        self.answers = 0
        self._patience, self._clock = patience, clock
        self._heard = 0.0
        self._open = 0
        """Number of requests that wait for an answer that will come."""
        self._troubles: dict[str, Trouble] = {}
        """Troubles after which the client has not asked for the same again, the latest last."""
        self._pauses: dict[str, tuple[float, float, str]] = {}
        """Start, length in seconds and source of each pause, by request."""
        self._asked: dict[tuple[str, int], float] = {}
        """When an open question was first sent or last answered, by table and number."""
        self._lost: set[tuple[str, int]] = set()
        """Questions to which an answer was lost."""
        self._illegal: set[tuple[str, int]] = set()
        self._late: Counter[str] = Counter()
        self._over: set[str] = set()
        """Tables whose result was sent."""
        self._polls: deque[float] = deque(maxlen=OFTEN)

    def find(self, sentence: str, *details: object) -> None:
        """Note a fault. The details of the first one of its kind are kept."""
        first, count = self._found.get(sentence, (sentence.format(*details), 0))
        self._found[sentence] = first, count + 1

    def findings(self) -> list[str]:
        """Return what the client does wrong, each kind once."""
        return [first + (f" ({count} times)" if count > 1 else "") for first, count in self._found.values()]

    def begin(self, request: str) -> None:
        """Note the arrival of a request."""
        self._heard = self._clock()
        self._open += 1
        self._troubles.pop(request, None)
        began, seconds, where = self._pauses.pop(request, (0.0, 0.0, ""))
        if (waited := self._heard - began) < EARLY * seconds:
            self.find("asked again after {:.1f} s, although {} named {:g} s", waited, where, seconds)

    def finish(self, request: str, trouble: Trouble | None) -> None:
        """Note that a request was answered, or will not be because of a trouble."""
        self._heard = self._clock()
        self._open -= 1
        if trouble:
            self._troubles[request] = trouble

    def pause(self, request: str, seconds: float, where: str) -> None:
        """Note that the next request of this kind should come after some seconds."""
        self._pauses[request] = self._clock(), seconds, where

    def forgive(self, request: str) -> None:
        """Forget the pause of a request: the answer that named it could not be sent."""
        self._pauses.pop(request, None)

    def forgive_all(self) -> None:
        """Forget all pauses: the connections on which they were named may have been closed."""
        self._pauses.clear()

    def told(self, asked: Asked, news: bool) -> None:
        """Note an answer with open questions."""
        now = self._clock()
        for one in asked.questions:
            self._asked.setdefault((one.table, one.number), now)
        self._over.update(one.table for one in asked.over)
        if not news:
            self._polls.append(now)
            if len(self._polls) == OFTEN and now - self._polls[0] < 1.0:
                self.find("asked for questions {} times within a second without news: use `wait`", OFTEN)

    def moved(self, table: MockTable, number: int, action: str) -> None:
        """Note a move, before it is made."""
        code, made = table.code, table.made(number)
        if (code, number) in self._asked:
            self._asked[code, number] = self._clock()
        if made and made != action:
            self.find("answered question {} of {} twice with different moves: {}, then {}", number, code, made, action)
        elif not made and code in self._over:
            self._late[code] += 1
            if self._late[code] > 1:
                self.find("went on to send moves to {} after its end", code)
        elif not made and (code, number) not in self._asked:
            self.find("answered question {} of {}, which was never asked", number, code)

    def refused(self, table: MockTable, number: int) -> None:
        """Note that a move was refused because the rules do not allow it."""
        if (table.code, number) in self._illegal:
            sentence = "gave another illegal action for question {} of {} after the legal ones were named"
            self.find(sentence, number, table.code)
        self._illegal.add((table.code, number))

    def lost(self, table: MockTable, number: int) -> None:
        """Note that a move was lost on its way."""
        self._lost.add((table.code, number))

    def made(self, table: MockTable, number: int) -> None:
        """Note that a move was made."""
        self.answers += (table.code, number) in self._asked
        self._asked.pop((table.code, number), None)

    def ended(self, table: MockTable) -> None:
        """Forget the questions of a table that was given up."""
        for key in [key for key in self._asked if key[0] == table.code]:
            self._asked[key] = float("inf")

    @property
    def quiet(self) -> float:
        """Number of seconds for which the client has not asked; 0 before it has asked at all."""
        return self._clock() - self._heard if self._heard and not self._open else 0.0

    def gives_up(self) -> bool:
        """Return whether the client has stopped; then note how."""
        now = self._clock()
        if self.quiet > self._patience:
            *_, failing = ["stopped while a table was at play", *(one.failing for one in self._troubles.values())]
            self.find(failing)
            return True
        late = [key for key, since in self._asked.items() if now - since > self._patience]
        for code, number in late:
            again = " again after its answer was lost" if (code, number) in self._lost else ""
            self.find("did not answer question {} of {}{} within {:g} s", number, code, again, self._patience)
        return bool(late)
