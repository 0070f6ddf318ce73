"""Claims on rows of the database: each is held by one worker at a time, under a lease and a fence.

Times are the database's. A claim raises the row's fence, and nothing is accepted under an older one. So a worker that
was thought dead, a doorbell that rang twice or a cancelled tournament can do no harm.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Table, Version
from arena.games.errors import ArenaError
from arena.services.base.context import Arena, settings_of
from arena.services.base.states import TableState, VersionState

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

    model: type[Table | Version]
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
        model = self.model
        fence = session.scalar(
            update(model)
            .where(model.id == row_id, *self.available(), *only)
            .values(fence=model.fence + 1, attempts=model.attempts + 1, retry_at=None, **self.taken, **values)
            .values(lease_until=now() + settings_of(session).lease)
            .returning(model.fence)
        )
        return None if fence is None else Claim(row_id, fence)

    def renew(self, arena: Arena, claim: Claim) -> None:
        """Extend the lease. Raises `LeaseLost`."""
        with arena.transaction() as session:
            self.change(session, claim, lease_until=now() + arena.settings.lease)

    def change(self, session: Session, claim: Claim, *only: ColumnElement[bool], **values: Any) -> None:
        """Change columns of a claimed row. Raises `LeaseLost` if the claim or `only` no longer holds."""
        here = (self.model.id == claim.id, self.model.fence == claim.fence, *self.held, *only)
        if session.scalar(update(self.model).where(*here).values(**values).returning(self.model.id)) is None:
            raise LeaseLost(f"claim {claim.fence} on {self.model.__tablename__} {claim.id} no longer holds")

    def release(self, session: Session, claim: Claim, given_up: Mapping[str, Any], *only: ColumnElement[bool]) -> bool:
        """Queue a row again after a failed attempt, or set `given_up` after the last one. Raises `LeaseLost`.

        Returns whether the arena gave up.
        """
        held = (self.model.id == claim.id, self.model.fence == claim.fence)
        attempts = session.scalar(select(self.model.attempts).where(*held)) or 0
        last = attempts >= ATTEMPTS
        changed = given_up if last else {"rung_at": None, "retry_at": now() + back_off(attempts), **self.returned}
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
    returned={"state": TableState.QUEUED, "worker": None},
)
VERSIONS: Final = Leases(
    Version,
    free=[Version.state == VersionState.PENDING, Version.lease_until.is_(None)],
    held=[Version.state == VersionState.PENDING, Version.lease_until.is_not(None)],
)
