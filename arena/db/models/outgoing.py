"""Columns of rows that are sent to a receiver outside, as `arena.services.base.outbox` does."""

from sqlalchemy import CheckConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Epoch, Id, one_of
from arena.db.clock import now


class Outgoing:
    """A row on its way to a receiver, or what became of it."""

    id: Mapped[Id]
    state: Mapped[str] = mapped_column(default="waiting")
    """An `arena.services.base.states.DeliveryState`."""
    due: Mapped[Epoch] = mapped_column(default=now())
    """Time from which it may be sent, or sent again."""
    attempts: Mapped[int] = mapped_column(default=0)
    """Number of attempts since it was last asked for."""
    fence: Mapped[int] = mapped_column(default=0)
    """Raised by each claim, and when it is asked for again. An outcome under an older fence is dropped."""
    sent: Mapped[Epoch | None]
    """Time of the last attempt."""
    answer: Mapped[str] = mapped_column(default="")
    """Beginning of the last answer, or why there was none; empty before the first attempt."""


def outgoing() -> tuple[Index, CheckConstraint]:
    """Return the index and the constraint of a table of such rows."""
    waiting = text("state = 'waiting'")
    due = Index(None, "due", sqlite_where=waiting, postgresql_where=waiting)
    return due, one_of("state", "waiting", "delivered", "failed")
