"""Claims on rows of the database: each is held by one worker at a time, under a lease and a fence.

Times are the database's. A claim raises the row's fence, and nothing is accepted under an older one. So a worker that
was thought dead, a doorbell that rang twice or a cancelled tournament can do no harm.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, func, select, tuple_, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Analysis, LiveTable, Table, Version
from arena.games.errors import ArenaError
from arena.services.base.context import Arena, settings_of
from arena.services.base.states import AnalysisState, LiveState, TableState, VersionState

BACK_OFF: Final = (5.0, 20.0, 60.0, 300.0, 900.0)
"""Seconds to wait after each failed attempt: other workers get a try, and later a machine that has recovered."""
ATTEMPTS: Final = len(BACK_OFF) + 1
"""Number of failed attempts after which the arena gives up; together they take more than twenty minutes."""


class LeaseLost(ArenaError):
    """The claim no longer holds: another worker has the row, or it was cancelled. Stop, and submit nothing."""


class Claim(NamedTuple):
    """A worker's right to a row."""

    id: int
    fence: int


@dataclass(frozen=True)
class Leases:
    """The leases on rows of one model."""

    model: type[Table | Version | LiveTable | Analysis]
    free: Sequence[ColumnElement[bool]]
    """Conditions of a row that can be claimed once it is due."""
    held: Sequence[ColumnElement[bool]]
    """Conditions of a row that is held."""
    taken: Mapping[str, Any] = field(default_factory=dict)
    """Columns that a claim sets."""
    returned: Mapping[str, Any] = field(default_factory=dict)
    """Columns that are set when a row is queued again."""

    def available(self) -> tuple[ColumnElement[bool], ...]:
        """Conditions of a row that can be claimed now."""
        return (*self.free, func.coalesce(self.model.retry_at, 0) <= now())

    def claim(self, session: Session, row_id: int, *only: ColumnElement[bool], **values: Any) -> Claim | None:
        """Claim a row and set `values`. Returns None if it is not available, or if `only` does not hold."""
        return next(iter(self.claim_all(session, [row_id], *only, **values)), None)

    def claim_all(
        self, session: Session, row_ids: Sequence[int], *only: ColumnElement[bool], **values: Any
    ) -> list[Claim]:
        """Claim those of these rows that are available and meet `only`, and set `values`. Returns the claims by ID."""
        model = self.model
        free = self._locked(model.id.in_(row_ids), *self.available(), *only, skip_locked=True)
        claimed = session.execute(
            update(model)
            .where(model.id.in_(free))
            .values(lease_until=now() + settings_of(session).lease)
            .values(fence=model.fence + 1, attempts=model.attempts + 1, retry_at=None, **self.taken, **values)
            .returning(model.id, model.fence)
            .execution_options(synchronize_session=False)
        )
        return sorted(Claim(*row) for row in claimed)

    def renew(self, arena: Arena, *claims: Claim) -> None:
        """Extend the leases. Raises `LeaseLost` if one of the claims no longer holds."""
        with arena.transaction() as session:
            renewed = self.change_all(session, claims, lease_until=now() + arena.settings.lease)
        for claim in claims:
            if claim not in renewed:
                raise self._lost(claim)

    def change(self, session: Session, claim: Claim, *only: ColumnElement[bool], **values: Any) -> None:
        """Change columns of a claimed row. Raises `LeaseLost` if the claim or `only` no longer holds."""
        if not self.change_all(session, [claim], *only, **values):
            raise self._lost(claim)

    def change_all(
        self, session: Session, claims: Sequence[Claim], *only: ColumnElement[bool], **values: Any
    ) -> list[Claim]:
        """Change columns of the rows whose claims, and `only`, still hold. Returns their claims by ID."""
        model = self.model
        held = self._locked(
            model.id.in_([claim.id for claim in claims]), tuple_(model.id, model.fence).in_(claims), *self.held, *only
        )
        changed = session.execute(
            update(model)
            .where(model.id.in_(held))
            .values(**values)
            .returning(model.id, model.fence)
            .execution_options(synchronize_session=False)
        )
        return sorted(Claim(*row) for row in changed)

    def _locked(self, *which: ColumnElement[bool], skip_locked: bool = False) -> Select[int]:
        """Select and lock rows in the order of their IDs, so that no two transactions can deadlock."""
        return select(self.model.id).where(*which).order_by(self.model.id).with_for_update(skip_locked=skip_locked)

    def _lost(self, claim: Claim) -> LeaseLost:
        return LeaseLost(f"claim {claim.fence} on {self.model.__tablename__} {claim.id} no longer holds")

    def release(self, session: Session, claim: Claim, given_up: Mapping[str, Any], *only: ColumnElement[bool]) -> bool:
        """Queue a row again after a failed attempt, or set `given_up` after the last one. Raises `LeaseLost`.

        Returns whether the arena gave up.
        """
        held = (self.model.id == claim.id, self.model.fence == claim.fence)
        attempts = session.scalar(select(self.model.attempts).where(*held)) or 0
        last = attempts >= ATTEMPTS
        changed = given_up if last else {"retry_at": now() + back_off(attempts), **self.returned}
        self.change(session, claim, *only, lease_until=None, **changed)
        return last

    def expired(self, session: Session) -> list[Claim]:
        """Return the claims whose lease has run out."""
        late = select(self.model.id, self.model.fence).where(*self.held, self.model.lease_until < now())
        return [Claim(*row) for row in session.execute(late)]


def back_off(attempts: int) -> float:
    """Return the seconds to wait after this number of failed attempts, at least one."""
    return BACK_OFF[min(attempts, len(BACK_OFF)) - 1]


TABLES: Final = Leases(
    Table,
    free=[Table.state == TableState.QUEUED],
    held=[Table.state == TableState.RUNNING],
    taken={"state": TableState.RUNNING},
    returned={"state": TableState.QUEUED, "worker": None, "rung_at": None},
)
LIVE_TABLES: Final = Leases(
    LiveTable,
    free=[LiveTable.state == LiveState.PLAYING, func.coalesce(LiveTable.lease_until, 0) < now()],
    held=[LiveTable.state == LiveState.PLAYING, LiveTable.lease_until.is_not(None)],
)
PAUSE_AFTER: Final = 600.0
"""Seconds after the last touch of a person after which a live table has no processes: others may need them. They start
again with the next touch."""
AWAITED: Final = (LiveTable.touched > now() - PAUSE_AFTER) | LiveTable.table_id.is_not(None)
"""Condition of a live table to which a person may come back soon, or that a tournament needs."""
VERSIONS: Final = Leases(
    Version,
    free=[Version.state == VersionState.PENDING, Version.lease_until.is_(None)],
    held=[Version.state == VersionState.PENDING, Version.lease_until.is_not(None)],
    returned={"rung_at": None},
)
ANALYSES: Final = Leases(
    Analysis,
    free=[Analysis.state == AnalysisState.WAITING, Analysis.lease_until.is_(None)],
    held=[Analysis.state == AnalysisState.WAITING, Analysis.lease_until.is_not(None)],
    returned={"rung_at": None},
)
