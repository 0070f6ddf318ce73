"""The sweep: whatever was lost on the way is found again. Called every few seconds, by one process or by ten."""

from typing import Final, NamedTuple

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Table, Version
from arena.services import schedules, validation
from arena.services.announcing import RING_AGAIN, announce
from arena.services.context import VALIDATE, Arena, Doorbell, ring
from arena.services.fold import fold_all
from arena.services.lease import LeaseLost
from arena.services.queue import Claim, release
from arena.services.shapes import PENDING, RUNNING
from arena.services.stages import advance_all
from arena.services.starting import start_due

SWEEP_EVERY: Final = 3.0
"""Seconds between two sweeps."""

log: Final = structlog.get_logger()


class Swept(NamedTuple):
    """What a sweep did."""

    expired: int
    """Tables whose worker had gone."""
    rung: int
    rated: int


def tick(arena: Arena) -> Swept:
    """Take back what has no live lease, begin and go on with tournaments, ring for what waits, fold what is due."""
    expired = _expire_tables(arena)
    schedules.due(arena)
    start_due(arena)
    advance_all(arena)
    swept = Swept(expired, _ring_again(arena), fold_all(arena))
    if any(swept):
        log.info("swept", **swept._asdict())
    return swept


def _expire_tables(arena: Arena) -> int:
    expired = (Table.state == RUNNING, Table.lease_until < now())
    with arena.reading() as session:
        claims = [Claim(*row) for row in session.execute(select(Table.id, Table.fence).where(*expired))]
    return sum(_expire(arena, claim) for claim in claims)


def _expire(arena: Arena, claim: Claim) -> bool:
    try:
        with arena.transaction() as session:
            reason = "the worker that played it disappeared"
            release(session, claim, "expired", reason, Table.lease_until < now())
    except LeaseLost:
        return False
    return True


def _ring_again(arena: Arena) -> int:
    with arena.transaction() as session:
        validation.expire(session)
        return _ring_versions(session) + announce(session)


def _ring_versions(session: Session) -> int:
    silent = Version.rung_at.is_(None) | (Version.rung_at < now() - RING_AGAIN)
    waiting = session.scalars(
        update(Version)
        .where(Version.state == PENDING, Version.lease_until.is_(None), silent, validation.is_due())
        .values(rung_at=now())
        .returning(Version.id)
        .execution_options(synchronize_session=False)
    ).all()
    ring(session, *(Doorbell(VALIDATE, version_id, urgent=True) for version_id in waiting))
    return len(waiting)
