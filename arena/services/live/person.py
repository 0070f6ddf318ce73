"""A person, or a program outside the arena, as a player of the referee: the answer is the next move in the log."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from arena.sdk.faults import KINDS, Fault
from arena.sdk.player import Quiet, Reply, Setup
from arena.services.live.log import Log

LOOK_EVERY: Final = 2.0
"""Seconds between two looks at the other seats while a person thinks."""


class PersonPlayer(Quiet):
    """A seat whose moves come from the log. If its time is up, `late` sees to the move, and may make it fail."""

    wants_forced = True

    def __init__(
        self,
        log: Log,
        flush: Callable[[], object],
        clock: float | None = None,
        late: Callable[[int], float] = lambda _: 0.0,
    ) -> None:
        """`flush` is called before waiting, and `late` with the seat once `clock` seconds have passed.

        It returns the seconds after which it is to be called again if no move has been made.
        """
        self._log, self._flush, self._clock, self._late = log, flush, clock, late
        self._seat = 0
        self._legal: Sequence[str] = ()

    def start(self, setup: Setup) -> None:
        self._seat = setup.seat

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self._legal = view["legal"]

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Wait for the person's move; make a forced one at once."""
        answer = self._log.answer(self._seat, 0.0)
        if answer is None and len(self._legal) == 1:
            return Reply(self._legal[0], 0.0, 0.0)
        if answer is None:
            self._flush()
        end = time.monotonic() + (self._clock or math.inf)
        while answer is None:
            watch()
            answer = self._log.answer(self._seat, min(LOOK_EVERY, max(end - time.monotonic(), 0.0)))
            if answer is None and time.monotonic() >= end:
                end = time.monotonic() + self._late(self._seat)
        if answer.fault:
            raise Fault(answer.fault, KINDS[answer.fault])
        return Reply(answer.token, 0.0, 0.0)
