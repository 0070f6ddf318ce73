"""Tournaments and who takes part."""

from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now
from arena.db.models.bots import Version
from arena.db.models.users import User


class Tournament(Base):
    """A set of tables made by a format over a list of entries."""

    __tablename__ = "tournaments"

    id: Mapped[Id]
    name: Mapped[str]
    variant: Mapped[str] = mapped_column(index=True)
    options: Mapped[dict[str, Any]]
    """The game's options, complete, as they were at the start."""
    format: Mapped[str]
    state: Mapped[str] = mapped_column(index=True)
    """running, finished or cancelled."""
    rounds: Mapped[int]
    boards: Mapped[int]
    """How many matches with boards of their own a table has per seating."""
    seed: Mapped[bytes]
    """Secret until the tournament is over."""
    commitment: Mapped[str]
    priority: Mapped[int] = mapped_column(default=0)
    """Higher is played first; above 0 it is rung on the urgent queue."""
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[Epoch] = mapped_column(default=now())
    finished: Mapped[Epoch | None]
    tables_total: Mapped[int] = mapped_column(default=0)
    tables_done: Mapped[int] = mapped_column(default=0)
    tables_failed: Mapped[int] = mapped_column(default=0)
    tables_insecure: Mapped[int] = mapped_column(default=0)
    """How many of those done have a match that was played below every minimum of the cage."""
    folded: Mapped[int] = mapped_column(default=0)
    """How many of its first tables the ratings have taken in (or passed over); see `arena.services.fold`."""

    created_by: Mapped[User] = relationship()


class Entry(Base):
    """A version that takes part. Frozen when the tournament starts."""

    __tablename__ = "entries"
    __table_args__ = (UniqueConstraint("tournament_id", "version_id"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """0-based."""
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)

    version: Mapped[Version] = relationship()
