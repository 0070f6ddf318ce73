"""Matches: their records and measurements."""

from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, deferred, mapped_column, relationship

from arena.db.base import Base, Epoch, Id, one_of
from arena.db.clock import now
from arena.db.models.bots import Version
from arena.db.models.tables import Table


class Match(Base):
    """One finished match of a table."""

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("table_id", "fence", "seating"),
        one_of("cage", "both", "one", "none"),
        ForeignKeyConstraint(
            ["table_id", "fence"], ["attempts.table_id", "attempts.fence"], name="fk_matches_table_id_fence"
        ),
    )

    id: Mapped[Id]
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    fence: Mapped[int]
    """Fence of the attempt that played it."""
    superseded: Mapped[bool] = mapped_column(default=False)
    """Whether a later judgement of its table replaced it: kept for inspection, counted nowhere."""
    seating: Mapped[int]
    """Number of the match within its table, by set of boards first, then by seating."""
    record: Mapped[bytes] = deferred(mapped_column(LargeBinary, nullable=False))
    """Packed record; see `arena.match.record.pack`."""
    cage: Mapped[str | None]
    """Strictest minimum (both, one or none) that the cage met; None if not recorded."""
    packages: Mapped[dict[str, str] | None] = mapped_column(JSON(none_as_null=True))
    """Versions of Python and of the packages that its bots could import, by name; None if not recorded."""
    finished: Mapped[Epoch] = mapped_column(default=now())

    table: Mapped[Table] = relationship()
    seats: Mapped[list["MatchSeat"]] = relationship(order_by="MatchSeat.seat")


class MatchSeat(Base):
    """Version, result and measurements of one seat, and data that only the bot's owner may read."""

    __tablename__ = "match_seats"
    __table_args__ = (
        Index("ix_match_seats_version", "version_id", "match_id"),
        CheckConstraint("cpu >= 0 AND wall >= 0 AND memory >= 0", name="measured"),
    )

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"))
    score: Mapped[int]
    rank: Mapped[int]
    fault: Mapped[str | None]
    """Kind of the fault; None if the bot did not fail."""
    move: Mapped[int | None]
    """Index of the move that it failed to make; None if it did not fail or the move was not recorded."""
    cpu: Mapped[float]
    """CPU seconds of its answers."""
    wall: Mapped[float | None]
    """Real time of its answers in seconds; None if not recorded."""
    memory: Mapped[int]
    """Peak resident memory in bytes."""
    think: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    """Packed histogram of the CPU times of its answers; empty if not recorded."""
    answers: Mapped[bytes] = deferred(mapped_column(LargeBinary, nullable=False, default=b""), group="private")
    """Packed course of its answers (`arena.match.answers`); empty if not recorded."""
    detail: Mapped[str] = deferred(mapped_column(Text, nullable=False, default=""), group="private")
    traceback: Mapped[str] = deferred(mapped_column(Text, nullable=False, default=""), group="private")
    output: Mapped[str] = deferred(mapped_column(Text, nullable=False, default=""), group="private")
    # Not JSONB, which would not preserve the order of the view's keys.
    view: Mapped[dict[str, Any] | None] = deferred(mapped_column(JSON(none_as_null=True)), group="private")
    """View that was sent for the failed move; None if it failed before it was asked for anything."""

    version: Mapped[Version] = relationship()
