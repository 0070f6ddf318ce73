"""Urgent work between the moves of work that can wait.

A routine table may take minutes where its bots think for long, and all workers may be at such tables when an upload
waits to be validated or placed. So whoever plays one looks now and then whether something urgent waits, and does it at
once, under a claim of its own, while the table and its bots wait. They are asked nothing meanwhile, and lose no time.
"""

import time
from typing import Final

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Table, Tournament, Version
from arena.services import play, validation
from arena.services.context import PLAY, VALIDATE, Arena, Doorbell
from arena.services.lease import Keeper
from arena.services.seating import Cage
from arena.services.shapes import INFRA_FAILED, PENDING, QUEUED, RUNNING

LOOK_EVERY: Final = 1.0
"""Seconds between two looks."""
REST: Final = 5.0
"""Seconds for which a worker does nothing of the kind after the machinery failed there."""
FEW: Final = 8
"""So much urgent work is looked at: others look as well, and what one worker takes is not there for the next."""

NOTHING, FAULT = "nothing", "fault"
FAILED: Final = frozenset({FAULT, PENDING, INFRA_FAILED})
"""What playing and validating answer where the machinery failed."""

log: Final = structlog.get_logger()


class Lookout:
    """One worker process's eye on urgent work. Give it to `play_table` as what is to be done between moves."""

    def __init__(self, arena: Arena, cage: Cage, worker: str) -> None:
        self._arena, self._cage, self._worker = arena, cage, worker
        self._next = 0.0

    def __call__(self, keeper: Keeper) -> None:
        """Do all urgent work that waits, where it is time to look; `keeper` keeps the lease of what is done besides."""
        while time.monotonic() >= self._next:
            outcome = self._serve(keeper)
            if outcome in FAILED:
                self._next = time.monotonic() + REST
            elif outcome == NOTHING:
                self._next = time.monotonic() + LOOK_EVERY

    def _serve(self, keeper: Keeper) -> str:
        """Do one piece of urgent work, whichever is to be had; what came of it."""
        try:
            with self._arena.reading() as session:
                waiting = urgent(session)
            return next((outcome for one in waiting if (outcome := self._do(one, keeper)) != NOTHING), NOTHING)
        except Exception:  # the table that waits meanwhile has nothing to do with it
            log.exception("urgent work failed")
            return FAULT

    def _do(self, one: Doorbell, keeper: Keeper) -> str:
        if one.task == PLAY:
            return play.play_table(self._arena, one.id, self._cage, self._worker, outer=keeper)
        return validation.validate(self._arena, one.id, self._cage, keeper)


def urgent(session: Session) -> list[Doorbell]:
    """Some of the urgent work that waits: tables first, as their bots are validated already."""
    tables = session.scalars(
        select(Table.id)
        .join(Table.tournament)
        .where(Tournament.state == RUNNING, Tournament.priority > 0)
        .where(Table.state == QUEUED, func.coalesce(Table.retry_at, 0) <= now())
        .order_by(Table.priority.desc(), Table.id)
        .limit(FEW)
    )
    versions = session.scalars(
        select(Version.id)
        .where(Version.state == PENDING, Version.lease_until.is_(None), validation.is_due())
        .order_by(Version.id)
        .limit(FEW)
    )
    waiting = [(PLAY, one) for one in tables] + [(VALIDATE, one) for one in versions]
    return [Doorbell(*one, urgent=True) for one in waiting]
