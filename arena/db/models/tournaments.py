"""Tournaments, their entries, and the schedules that create them."""

from typing import Any, Final

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id, one_of
from arena.db.clock import now
from arena.db.models.bots import Version
from arena.db.models.users import User
from arena.games.registry import OPEN

TRIAL: Final = "trial"
"""Format of the tournaments whose results count nowhere."""
_FAILED: Final = text("tables_failed > 0")
_LADDERS: Final = text("format = 'ladder'")


class Tournament(Base):
    """Set of tables that a format makes over a list of entries."""

    __tablename__ = "tournaments"
    __table_args__ = (
        UniqueConstraint("schedule_id", "due"),
        Index("ix_tournaments_format", "format", "created"),
        Index("ix_tournaments_failed", "id", sqlite_where=_FAILED, postgresql_where=_FAILED),
        Index("ix_tournaments_ladders", "variant", "state", sqlite_where=_LADDERS, postgresql_where=_LADDERS),
        one_of("state", "draft", "scheduled", "running", "paused", "finished", "cancelled"),
        one_of("entry_rule", "all", "one_per_owner", "chosen"),
        CheckConstraint("boards >= 1", name="boards"),
        CheckConstraint("fault_cap >= 0", name="fault_cap"),
        CheckConstraint("length(seed) = 32 OR (length(seed) = 0 AND origin IS NOT NULL)", name="seed"),
        CheckConstraint("format = 'comparison' OR verdict IS NULL", name="verdict"),
    )

    id: Mapped[Id]
    name: Mapped[str]
    variant: Mapped[str] = mapped_column(index=True)
    options: Mapped[dict[str, Any]]
    """Complete options of the game when the tournament was created."""
    format: Mapped[str]
    """Format: round_robin, balanced, swiss, knockout, ladder, comparison or trial."""
    shape: Mapped[dict[str, Any]]
    """Numbers of the format; see `arena.services.formats.plans`."""
    state: Mapped[str] = mapped_column(index=True)
    """State: draft, scheduled, running, paused, finished or cancelled."""
    problem: Mapped[str | None]
    """Reason why it is paused or did not start, for display."""
    boards: Mapped[int]
    """Number of matches per seating at a table, each with boards of its own."""
    seatings: Mapped[str] = mapped_column(default="rotations")
    """Seatings of a table: rotations, all, single, or both (in comparisons)."""
    entry_rule: Mapped[str] = mapped_column(default="chosen")
    """Rule for entries at the start: all, chosen or one_per_owner."""
    chosen: Mapped[list[Any] | None]
    """IDs of the bots that the entry rule selects from; None for all bots."""
    fault_cap: Mapped[int | None]
    """Maximum number of matches in which a bot may fail before it is withdrawn; None for no limit."""
    seed: Mapped[bytes]
    """Seed; secret until the tournament is over."""
    commitment: Mapped[str]
    priority: Mapped[int] = mapped_column(default=0)
    """Priority: higher values are played first, and values above 0 use the urgent queue."""
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[Epoch] = mapped_column(default=now())
    starts_at: Mapped[Epoch | None]
    """Time at which it starts automatically."""
    started: Mapped[Epoch | None]
    finished: Mapped[Epoch | None]
    schedule_id: Mapped[int | None] = mapped_column(ForeignKey("schedules.id"))
    due: Mapped[Epoch | None]
    """Time of the schedule that it was created for; at most one tournament exists per time."""
    stage: Mapped[int] = mapped_column(default=0)
    """Number of stages (rounds of a Swiss or a knockout, batches of a ladder) whose tables have been created."""
    tables_total: Mapped[int] = mapped_column(default=0)
    balanced_from: Mapped[int] = mapped_column(default=0)
    """Number of the first table seated by `arena.tournament.circles`; older releases created the tables before it."""
    tables_done: Mapped[int] = mapped_column(default=0)
    tables_failed: Mapped[int] = mapped_column(default=0)
    tables_cancelled: Mapped[int] = mapped_column(default=0)
    """Number of tables cancelled because a bot was withdrawn or the result came too late to count."""
    tables_insecure: Mapped[int] = mapped_column(default=0)
    """Number of finished tables with a match that was played below every minimum of the cage."""
    folded: Mapped[int] = mapped_column(default=0)
    """Number of its first tables whose results count in the ratings; see `arena.services.ratings.fold`."""
    results: Mapped[int] = mapped_column(default=0)
    """Number of results added to or removed from the tallies; never decreases."""
    fitted: Mapped[int] = mapped_column(default=0)
    """Value of `results` when the strengths of its bots were last fitted; see `arena.services.ratings.strengths`."""
    rest: Mapped[str | None]
    """Mark of the field for which a ladder needs no more tables; see `arena.services.formats.rest`."""
    verdict: Mapped[dict[str, Any] | None]
    """Result of a comparison; see `arena.services.comparisons`."""
    origin: Mapped[str | None]
    """Export or records that it was imported from, and their time, as a phrase; None if it was created here."""

    created_by: Mapped[User] = relationship()

    @hybrid_property
    def rated(self) -> bool:
        """Whether its results count and are public. Those of a trial are for the team of the bot that is tried."""
        return self.format != TRIAL

    @hybrid_property
    def outside(self) -> bool:
        """Whether its tables are played by the live host, because programs outside the arena may sit there."""
        return self.variant in OPEN

    @outside.inplace.expression
    @classmethod
    def _outside(cls) -> ColumnElement[bool]:
        return cls.variant.in_(OPEN)

    @hybrid_property
    def tables_settled(self) -> int:
        """Number of tables that will not change any more without intervention."""
        return self.tables_done + self.tables_failed + self.tables_cancelled

    @hybrid_property
    def settled(self) -> bool:
        """Whether all created tables are settled."""
        return self.tables_settled == self.tables_total


class Entry(Base):
    """Version that takes part. Entries are frozen at the start, except that a running ladder adds new ones."""

    __tablename__ = "entries"
    __table_args__ = (
        UniqueConstraint("tournament_id", "version_id"),
        one_of("out", "withdrawn", "faults", "deactivated", "replaced", "eliminated"),
    )

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """0-based number, in the order of seeding."""
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    out: Mapped[str | None]
    """Reason why it gets no further tables: withdrawn, faults, deactivated, replaced or eliminated; None if it does."""
    out_after: Mapped[int | None]
    """Number of the last table before it was out."""
    rank: Mapped[int | None]
    """Rank in the final standings of a planned tournament; None before its end."""

    version: Mapped[Version] = relationship()


class Schedule(Base):
    """Creates a tournament at every time of a cron expression."""

    __tablename__ = "schedules"
    __table_args__ = (Index("ix_schedules_due", "paused", "due_at"), one_of("catch_up", "skip", "once"))

    id: Mapped[Id]
    name: Mapped[str]
    """Name of the tournaments that it creates, without the time that is appended."""
    plan: Mapped[dict[str, Any]]
    """Plan of the tournaments that it creates; see `arena.services.formats.plans`."""
    cron: Mapped[str]
    zone: Mapped[str]
    """IANA name of the time zone of the cron expression."""
    catch_up: Mapped[str]
    """Rule for missed times: skip them, or create one tournament for all of them (once)."""
    paused: Mapped[bool] = mapped_column(default=False)
    seen_until: Mapped[Epoch]
    """Time up to which all times are handled. It never decreases, even if the clock does."""
    due_at: Mapped[Epoch] = mapped_column(default=0.0)
    """First time after `seen_until`; 0 if not computed yet."""
    problem: Mapped[str | None]
    """Reason why the latest time created no tournament."""
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[Epoch] = mapped_column(default=now())

    created_by: Mapped[User] = relationship()


class Rejudgement(Base):
    """Order of an organiser to replay tables. Kept for ever."""

    __tablename__ = "rejudgements"

    id: Mapped[Id]
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), index=True)
    table_number: Mapped[int | None]
    """Number of the table; None if it covers several tables."""
    version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id"))
    """ID of the version whose tables are replayed; None if it is not about a version."""
    reason: Mapped[str]
    tables: Mapped[int]
    """Number of tables to replay."""
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[Epoch] = mapped_column(default=now())

    created_by: Mapped[User] = relationship()
