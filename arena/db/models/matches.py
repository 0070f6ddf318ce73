"""Matches: records, and what was measured beside them."""

from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, deferred, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now
from arena.db.models.bots import Version
from arena.db.models.tables import Table


class Match(Base):
    """One finished match of a table."""

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("table_id", "fence", "seating"),)

    id: Mapped[Id]
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    fence: Mapped[int]
    """Of the attempt that played it."""
    superseded: Mapped[bool] = mapped_column(default=False)
    """Whether its table was judged again later: kept to be looked at, counted nowhere."""
    seating: Mapped[int]
    """Number of the match within its table: sets of boards first, then the rotations of each."""
    record: Mapped[bytes] = deferred(mapped_column(LargeBinary, nullable=False))
    """Packed; see `arena.match.record.pack`."""
    cage: Mapped[str | None]
    """How well its bots were held: the strictest minimum (both, one or none) that the cage met. None: not noted."""
    finished: Mapped[Epoch] = mapped_column(default=now())

    table: Mapped[Table] = relationship()
    seats: Mapped[list["MatchSeat"]] = relationship(order_by="MatchSeat.seat")


class MatchSeat(Base):
    """Who sat in a seat, how it went, and what only the bot's owner may read."""

    __tablename__ = "match_seats"
    __table_args__ = (Index("ix_match_seats_version", "version_id", "match_id"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"))
    score: Mapped[int]
    rank: Mapped[int]
    fault: Mapped[str | None]
    """Kind of the verdict."""
    move: Mapped[int | None]
    """The index of the move that it did not make, where it failed. None where that was not noted."""
    cpu: Mapped[float]
    """CPU seconds of its answers."""
    memory: Mapped[int]
    """Peak resident memory in bytes."""
    think: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    """Histogram of the CPU times of its answers, packed; empty where it was not noted."""
    detail: Mapped[str] = deferred(mapped_column(Text, nullable=False, default=""), group="private")
    traceback: Mapped[str] = deferred(mapped_column(Text, nullable=False, default=""), group="private")
    output: Mapped[str] = deferred(mapped_column(Text, nullable=False, default=""), group="private")
    # Not JSONB: a view is kept as it was sent, in the order of its keys.
    view: Mapped[dict[str, Any] | None] = deferred(mapped_column(JSON(none_as_null=True)), group="private")
    """What it was sent for that move; None where it failed before it was asked for anything."""

    version: Mapped[Version] = relationship()
