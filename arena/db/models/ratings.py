"""Ratings: append-only events, the current values that follow from them, and what they were computed with."""

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base, Epoch
from arena.db.clock import now


class RatingEvent(Base):
    """What one table did to the rating of one version. Rows are only ever added.

    The valid event of a table and a version is the one with the highest revision: a table that finishes late, with a
    smaller id than what was folded before, has everything after it folded again.
    """

    __tablename__ = "rating_events"
    __table_args__ = (Index("ix_rating_events_history", "variant", "version_id", "table_id", "revision"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    variant: Mapped[str]
    rank: Mapped[int]
    mu: Mapped[float]
    """After the table."""
    sigma: Mapped[float]
    tables: Mapped[int]
    """How many of the version's tables were rated, this one included."""
    matches: Mapped[int]
    """How many matches those were."""
    created: Mapped[Epoch] = mapped_column(default=now())


class Rating(Base):
    """The current rating of a version in a variant."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ix_ratings_leaders", "variant", "mu"),)

    variant: Mapped[str] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True, index=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    tables: Mapped[int]
    matches: Mapped[int]


class RatingCursor(Base):
    """How far the fold of a variant has come. Its row is the lock of the fold."""

    __tablename__ = "rating_cursors"

    variant: Mapped[str] = mapped_column(primary_key=True)
    last_table: Mapped[int] = mapped_column(default=0)
    """Highest id of a table that was folded."""
    revision: Mapped[int] = mapped_column(default=0)
    """Counts how often something was folded again."""
    refolded: Mapped[Epoch] = mapped_column(default=0.0)
    """When that was last."""


class RatingParameters(Base):
    """What the ratings of a variant are computed with, where that is not the default."""

    __tablename__ = "rating_parameters"

    variant: Mapped[str] = mapped_column(primary_key=True)
    beta: Mapped[float]
    draw_probability: Mapped[float]
    tables: Mapped[int]
    """How many tables they were estimated from."""
    estimated: Mapped[Epoch] = mapped_column(default=now())
