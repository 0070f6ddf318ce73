"""Do urgent work between the moves of other work, and while one of its bots thinks.

A table of slow bots may take minutes, and all workers may be playing such tables when an upload is waiting to be
validated or placed. Therefore a worker that plays one checks regularly for urgent work that was announced, and does it
immediately, under a separate claim. The table's bots are asked nothing until it is done, so none of their time is used.
"""

import time
from typing import Final

import structlog

from arena.services.base.context import PLAY, Arena, Doorbell
from arena.services.play.seats import BotCage
from arena.services.queue import announcements
from arena.services.queue.keeper import Keeper
from arena.services.work import play, validation
from arena.services.work.outcomes import Outcome, Pauses

LOOK_EVERY: Final = 1.0
"""Seconds between two checks for urgent work."""
LOOK_AT: Final = 8
"""Number of tables and versions fetched per check; more than one, because other workers may claim the first."""

log: Final = structlog.get_logger()


class Lookout:
    """Checks for urgent work in one worker process; the `between_moves` of `arena.services.work.play.play_tables`."""

    def __init__(self, arena: Arena, cage: BotCage, worker: str) -> None:
        self._arena, self._cage, self._worker = arena, cage, worker
        self._pauses = Pauses()
        self._next = 0.0

    def __call__(self, keeper: Keeper) -> None:
        """Do all waiting urgent work if a check is due. `keeper` keeps the lease of the interrupted work."""
        while time.monotonic() >= self._next:
            outcome = self._serve(keeper)
            if outcome == Outcome.DONE:
                self._pauses.succeed()
            elif outcome == Outcome.FAULT:
                self._next = time.monotonic() + self._pauses.fail()
            elif outcome == Outcome.NOTHING:
                self._next = time.monotonic() + LOOK_EVERY

    def _serve(self, keeper: Keeper) -> Outcome:
        """Do the first piece of urgent work that can be claimed. Returns its outcome."""
        try:
            with self._arena.reading() as session:
                waiting = announcements.announced_urgent(session, LOOK_AT)
            return next(
                (outcome for one in waiting if (outcome := self._do(one, keeper)) != Outcome.NOTHING), Outcome.NOTHING
            )
        except Exception:  # must not fail the interrupted table
            log.exception("urgent work failed")
            return Outcome.FAULT

    def _do(self, one: Doorbell, keeper: Keeper) -> Outcome:
        if one.task == PLAY:
            return play.play_tables(self._arena, [one.id], self._cage, self._worker, outer=keeper)
        return validation.validate(self._arena, one.id, self._cage, outer=keeper)
