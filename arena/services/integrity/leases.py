"""Integrity of leases and doorbells, which tables, versions, analyses and live tables have alike."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Analysis, LiveTable, Table, Version
from arena.services.integrity.findings import Repair, Wrong, correct
from arena.services.queue.leases import BACK_OFF
from arena.services.work.sweep import SWEEP_EVERY

Leased = Table | Version | Analysis | LiveTable
GRACE: Final = 2 * SWEEP_EVERY
"""Seconds within which the sweep should have released an expired lease."""
LONGEST: Final = 3600
"""Seconds of the longest lease that ARENA_LEASE allows."""


def leased(session: Session, row: Leased, held: bool, abandon: Repair) -> Iterator[Wrong]:
    """Check the lease and the doorbell of a row; `held` is whether a worker may hold it, `abandon` queues it again."""
    current = session.scalars(select(now())).one()
    lease, retry, rung = (
        None if time is None else time - current
        for time in (row.lease_until, row.retry_at, getattr(row, "rung_at", None))
    )
    if lease is not None and not held:
        yield Wrong(f"it is {row.state}, but it has a lease", _without(row, "lease_until"))
    elif lease is not None and lease < -GRACE:
        yield Wrong("its worker disappeared: its lease ran out more than two sweeps ago", abandon, heals=True)
    elif lease is not None and lease > LONGEST + GRACE:
        yield Wrong(f"its lease lasts for another {lease:,.0f} s; no lease is longer than {LONGEST:,} s", abandon)
    if retry is not None and retry > BACK_OFF[-1] + GRACE:
        what = f"it waits for another {retry:,.0f} s to be tried again; the longest wait is {BACK_OFF[-1]:,.0f} s"
        yield Wrong(what, _without(row, "retry_at"))
    if rung is not None and rung > GRACE:
        yield Wrong(f"its doorbell rang {rung:,.0f} s in the future", _without(row, "rung_at"))


def _without(row: Leased, column: str) -> Repair:
    return correct(type(row), {column: None}, id=row.id)
