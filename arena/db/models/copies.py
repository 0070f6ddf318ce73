"""The report of bots that are alike, and what organisers have decided about its pairs."""

from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, deferred, mapped_column

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
    tables: Mapped[int]
    """Number of tables whose decisions were compared."""
    seconds: Mapped[float]


class AlikePair(Base):
    """Two bots that the latest report found alike, by source or in one variant; a < b. Each report replaces all."""

    __tablename__ = "alike_pairs"
    __table_args__ = (UniqueConstraint("a_id", "b_id", "variant"), Index("ix_alike_pairs_b_id", "b_id"))

    id: Mapped[Id]
    a_id: Mapped[int] = mapped_column(ForeignKey("bots.id", ondelete="CASCADE"))
    b_id: Mapped[int] = mapped_column(ForeignKey("bots.id", ondelete="CASCADE"))
    a_version_id: Mapped[int] = mapped_column(ForeignKey("versions.id", ondelete="CASCADE"))
    b_version_id: Mapped[int] = mapped_column(ForeignKey("versions.id", ondelete="CASCADE"))
    variant: Mapped[str]
    """Variant in which they decide alike; empty if their sources are alike."""
    share: Mapped[float]
    """Share of the smaller program, or of the decisions, that is equal."""
    counted: Mapped[int]
    """Number of fingerprints that both have, or of decisions that both had to make."""
    expected: Mapped[float | None]
    """Share of equal decisions of the other bots with the same views; None for sources."""
    by_chance: Mapped[float | None]
    """Number of independent pairs expected to agree as much; None for sources."""
    lines: Mapped[dict[str, Any] | None] = deferred(mapped_column(JSON_TYPE))
    """For a and for b: the matching lines as file, first and last line; None for decisions."""


class Dismissal(Base):
    """A pair of bots that an organiser has looked at and dismissed; a < b."""

    __tablename__ = "dismissals"

    a_id: Mapped[int] = mapped_column(ForeignKey("bots.id", ondelete="CASCADE"), primary_key=True)
    b_id: Mapped[int] = mapped_column(ForeignKey("bots.id", ondelete="CASCADE"), primary_key=True)
    reason: Mapped[str]
    by: Mapped[str]
    """Name of the organiser at that time."""
    at: Mapped[Epoch] = mapped_column(default=now())
