"""Tables: what is queued, claimed, played, rated."""

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.models.bots import Version
from arena.db.models.tournaments import Tournament


class Table(Base):
    """The unit of work and of rating: the same boards under every seating of the same bots."""

    __tablename__ = "tables"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        Index("ix_tables_announced", "state", "rung_at"),
        Index("ix_tables_pace", "state", "finished"),
        Index("ix_tables_progress", "tournament_id", "state", "number"),
    )

    id: Mapped[Id]
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    number: Mapped[int]
    """0-based; its seed is derived from the tournament's and this."""
    state: Mapped[str] = mapped_column(default="queued")
    """queued, running, done, infra_failed, cancelled."""
    stage: Mapped[int] = mapped_column(default=0)
    """0-based; the tables of a stage are made together."""
    priority: Mapped[int] = mapped_column(default=0)
    attempts: Mapped[int] = mapped_column(default=0)
    fence: Mapped[int] = mapped_column(default=0)
    """Raised by every claim; a result with an older fence is not taken."""
    lease_until: Mapped[Epoch | None]
    worker: Mapped[str | None]
    rung_at: Mapped[Epoch | None]
    retry_at: Mapped[Epoch | None]
    """Not to be claimed before; set when the machinery failed, so that its attempts are not used up at once."""
    finished: Mapped[Epoch | None]

    tournament: Mapped[Tournament] = relationship()
    seats: Mapped[list["TableSeat"]] = relationship(order_by="TableSeat.position", back_populates="table")


class TableSeat(Base):
    """A version at a table, and its result there."""

    __tablename__ = "table_seats"
    __table_args__ = (UniqueConstraint("table_id", "version_id"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    half_points: Mapped[int | None]
    """Match points, doubled so that they are whole."""
    rank: Mapped[int | None]
    faults: Mapped[int] = mapped_column(default=0)
    """In how many of the table's matches it failed."""

    table: Mapped[Table] = relationship(back_populates="seats")
    version: Mapped[Version] = relationship()


class Attempt(Base):
    """One claim of a table and how it ended. Kept for ever."""

    __tablename__ = "attempts"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    fence: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    worker: Mapped[str]
    started: Mapped[Epoch]
    ended: Mapped[Epoch | None]
    outcome: Mapped[str | None]
    """done, fault (of the arena), expired, cancelled, superseded (done, and later set aside); None while it runs."""
    reason: Mapped[str | None]
