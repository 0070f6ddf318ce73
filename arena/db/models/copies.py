"""The report of bots that are alike, and what organisers have decided about its pairs."""

from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import JSON_TYPE, Base, Epoch, Id
from arena.db.clock import now


class CopyReport(Base):
    """One run of the comparison of all bots."""

    __tablename__ = "copy_reports"

    id: Mapped[Id]
    finished: Mapped[Epoch] = mapped_column(default=now())
    bots: Mapped[int]
    """Number of bots whose sources were compared."""
    unread: Mapped[int]
    """Number of bots whose sources could not be compared, because they are too large or no Python."""
    seconds: Mapped[float]


class AlikePair(Base):
    """Two bots that the latest report found alike; a < b. Each report replaces all."""

    __tablename__ = "alike_pairs"
    __table_args__ = (
        UniqueConstraint("a_id", "b_id"),
        Index("ix_alike_pairs_b_id", "b_id"),
        CheckConstraint("a_id < b_id", name="order"),
    )

    id: Mapped[Id]
    a_id: Mapped[int] = mapped_column(ForeignKey("bots.id", ondelete="CASCADE"))
    b_id: Mapped[int] = mapped_column(ForeignKey("bots.id", ondelete="CASCADE"))
    a_version_id: Mapped[int] = mapped_column(ForeignKey("versions.id", ondelete="CASCADE"))
    b_version_id: Mapped[int] = mapped_column(ForeignKey("versions.id", ondelete="CASCADE"))
    share: Mapped[float]
    """Share of the smaller program that is also in the other."""
    counted: Mapped[int]
    """Number of fingerprints that both have."""
    lines: Mapped[dict[str, Any]] = mapped_column(JSON_TYPE, deferred=True)
    """For a and for b: the matching lines as file, first and last line."""


class Dismissal(Base):
    """A pair of bots that an organiser has looked at and dismissed; a < b."""

    __tablename__ = "dismissals"
    __table_args__ = (CheckConstraint("a_id < b_id", name="order"),)

    a_id: Mapped[int] = mapped_column(ForeignKey("bots.id", ondelete="CASCADE"), primary_key=True)
    b_id: Mapped[int] = mapped_column(ForeignKey("bots.id", ondelete="CASCADE"), primary_key=True)
    reason: Mapped[str]
    by: Mapped[str]
    """Name of the organiser at that time."""
    at: Mapped[Epoch] = mapped_column(default=now())
