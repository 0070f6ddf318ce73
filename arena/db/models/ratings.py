"""Ratings: append-only events, the current values derived from them, and the parameters used."""

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base, Epoch
from arena.db.clock import now


class RatingEvent(Base):
    """Change of one version's rating by one table. Rows are only ever added.

    The event with the highest revision is valid for its table and version. When a table finishes late, with a lower ID
    than tables that are already folded, all later tables are folded again.
    """

    __tablename__ = "rating_events"
    __table_args__ = (Index("ix_rating_events_history", "variant", "version_id", "table_id", "revision"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    variant: Mapped[str]
    rank: Mapped[int]
    mu: Mapped[float]
    """Mean after the table."""
    sigma: Mapped[float]
    tables: Mapped[int]
    """Number of the version's rated tables, including this one."""
    matches: Mapped[int]
    """Number of matches of these tables."""
    created: Mapped[Epoch] = mapped_column(default=now())


class CurrentRating(Base):
    """Current rating of a version in a variant."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ix_ratings_leaders", "variant", "mu"),)

    variant: Mapped[str] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True, index=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    tables: Mapped[int]
    matches: Mapped[int]


class RatingCursor(Base):
    """Progress of a variant's fold. The row also serves as the lock of the fold."""

    __tablename__ = "rating_cursors"

    variant: Mapped[str] = mapped_column(primary_key=True)
    last_table: Mapped[int] = mapped_column(default=0)
    """Highest ID of a folded table."""
    revision: Mapped[int] = mapped_column(default=0)
    """Number of times that tables were folded again."""
    refolded: Mapped[Epoch] = mapped_column(default=0.0)
    """Time of the last refold."""
    estimating: Mapped[Epoch] = mapped_column(default=0.0)
    """Time until which no other process should estimate the variant's parameters."""
    fitted: Mapped[int] = mapped_column(default=0)
    """Sum of its tournaments' `results` when strengths were last fitted; see `arena.services.ratings.strengths`."""


class RatingParameters(Base):
    """Parameters that rate the tables of a variant from one table on. Kept for ever, because ratings follow from them.

    The row for the first table does not change when the defaults do.
    """

    __tablename__ = "rating_parameters"

    variant: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Lowest ID of a table that they rate."""
    beta: Mapped[float]
    draw_probability: Mapped[float]
    tables: Mapped[int]
    """Number of rated tables when they were estimated; 0 for defaults."""
    estimated: Mapped[Epoch] = mapped_column(default=now())
