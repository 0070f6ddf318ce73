"""Ratings: events, the current values derived from them, and the parameters used."""

from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base, Epoch
from arena.db.clock import now


class RatingEvent(Base):
    """Rating of a version after one of its tables.

    When a table finishes late, with a lower ID than tables that are already folded, all later tables are folded again
    and their events replaced.
    """

    __tablename__ = "rating_events"
    __table_args__ = (
        Index("ix_rating_events_history", "variant", "version_id", "table_id"),
        ForeignKeyConstraint(
            ["table_id", "version_id"],
            ["table_seats.table_id", "table_seats.version_id"],
            name="fk_rating_events_table_id_version_id",
        ),
    )

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True)
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
    """Time at which the table was first rated."""


class CurrentRating(Base):
    """Current rating of a version in a variant: that of its last event."""

    __tablename__ = "ratings"

    variant: Mapped[str] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True, index=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    tables: Mapped[int]
    matches: Mapped[int]


class RatingCursor(Base):
    """Progress of a variant's fold. The row also serves as the lock of the fold."""

    __tablename__ = "rating_cursors"
    __table_args__ = (CheckConstraint("due >= 0 AND fitted >= 0", name="marks"),)

    variant: Mapped[str] = mapped_column(primary_key=True)
    last_table: Mapped[int] = mapped_column(default=0)
    """Highest ID of a table that counts."""
    due: Mapped[int | None]
    """Lowest ID from which ratings may be missing or outdated; None if all are up to date."""
    folded: Mapped[Epoch] = mapped_column(default=0.0)
    """Time at which new results were last folded."""
    refolded: Mapped[Epoch] = mapped_column(default=0.0)
    """Time at which the sweep last folded results again."""
    estimating: Mapped[Epoch] = mapped_column(default=0.0)
    """Time until which no other process should estimate the variant's parameters."""
    fitted: Mapped[int] = mapped_column(default=0)
    """Sum of its tournaments' `results` when strengths were last fitted; see `arena.services.ratings.strengths`."""
    leader_id: Mapped[int | None]
    """ID of the bot that led when the leaderboard was last looked at; None before."""
    looked: Mapped[Epoch] = mapped_column(default=0.0)
    """Value of `folded` when the leaderboard was last looked at; see `arena.services.ratings.leads`."""


class RatingParameters(Base):
    """Parameters that rate the tables of a variant from one table on. Kept for ever, because ratings follow from them.

    The row for the first table does not change when the defaults do.
    """

    __tablename__ = "rating_parameters"
    __table_args__ = (CheckConstraint("beta > 0 AND draw_probability >= 0 AND draw_probability < 1", name="range"),)

    variant: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Lowest ID of a table that they rate."""
    beta: Mapped[float]
    draw_probability: Mapped[float]
    tables: Mapped[int]
    """Number of rated tables when they were estimated; 0 for defaults."""
    estimated: Mapped[Epoch] = mapped_column(default=now())


class PastPlaces(Base):
    """Places on a variant's leaderboard at the beginning of a day. Kept for a week, so that pages can show changes."""

    __tablename__ = "past_places"

    variant: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Number of days since 1970, in UTC."""
    noted: Mapped[Epoch] = mapped_column(default=now())
    places: Mapped[dict[str, Any]]
    """Place of each bot, by its ID."""
