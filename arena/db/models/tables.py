"""Tables: their queue, leases, seats, results and attempts."""

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id, one_of
from arena.db.models.bots import Version
from arena.db.models.tournaments import Tournament


class Table(Base):
    """Unit of work and of rating: the same boards under every seating of the same bots."""

    __tablename__ = "tables"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        Index("ix_tables_announced", "state", "rung_at"),
        Index("ix_tables_pace", "state", "finished"),
        Index("ix_tables_progress", "tournament_id", "state", "number"),
        one_of("state", "queued", "running", "done", "infra_failed", "cancelled"),
    )

    id: Mapped[Id]
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    number: Mapped[int]
    """0-based number within the tournament; the table's seed is derived from it and the tournament's seed."""
    state: Mapped[str] = mapped_column(default="queued")
    """State: queued, running, done, infra_failed or cancelled."""
    stage: Mapped[int] = mapped_column(default=0)
    """0-based stage of the tournament; all tables of a stage are created together."""
    priority: Mapped[int] = mapped_column(default=0)
    attempts: Mapped[int] = mapped_column(default=0)
    fence: Mapped[int] = mapped_column(default=0)
    """Number that every claim raises; results with an older fence are refused."""
    lease_until: Mapped[Epoch | None]
    worker: Mapped[str | None]
    rung_at: Mapped[Epoch | None]
    retry_at: Mapped[Epoch | None]
    """Time before which it cannot be claimed; set after an infrastructure failure, to spread the remaining attempts."""
    finished: Mapped[Epoch | None]

    tournament: Mapped[Tournament] = relationship()
    seats: Mapped[list["TableSeat"]] = relationship(order_by="TableSeat.position", back_populates="table")


class TableSeat(Base):
    """Version at a table, and its result there."""

    __tablename__ = "table_seats"
    __table_args__ = (UniqueConstraint("table_id", "version_id"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    half_points: Mapped[int | None]
    """Match points, doubled to be whole."""
    rank: Mapped[int | None]
    faults: Mapped[int] = mapped_column(default=0)
    """Number of the table's matches in which it failed."""

    table: Mapped[Table] = relationship(back_populates="seats")
    version: Mapped[Version] = relationship()


class TournamentNeighbours(Base):
    """Balance of places between two entries of a tournament (`arena.tournament.circles`); a < b."""

    __tablename__ = "tournament_neighbours"
    __table_args__ = (
        CheckConstraint("a < b", name="order"),
        ForeignKeyConstraint(
            ["tournament_id", "a"],
            ["entries.tournament_id", "entries.number"],
            name="fk_tournament_neighbours_tournament_id_a",
        ),
        ForeignKeyConstraint(
            ["tournament_id", "b"],
            ["entries.tournament_id", "entries.number"],
            name="fk_tournament_neighbours_tournament_id_b",
        ),
    )

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    a: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Number of the first entry."""
    b: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    forward: Mapped[int]
    """Excess of b sitting directly after a."""
    backward: Mapped[int]
    """Excess of a sitting directly after b."""


class Attempt(Base):
    """One claim of a table and how it ended. Kept for ever."""

    __tablename__ = "attempts"
    __table_args__ = (
        one_of("outcome", "done", "fault", "expired", "cancelled", "returned", "superseded"),
        CheckConstraint("(outcome IS NULL) = (ended IS NULL)", name="ended"),
    )

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    fence: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    worker: Mapped[str]
    started: Mapped[Epoch]
    ended: Mapped[Epoch | None]
    outcome: Mapped[str | None]
    """Outcome: done, fault (of the arena), expired, cancelled, returned (not begun) or superseded (done, later set
    aside); None while it runs."""
    reason: Mapped[str | None]
