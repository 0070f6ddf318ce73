"""Assignments of a class: their terms, who takes part with which bot, and comparisons with the reference bot."""

from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now
from arena.db.models.bots import Bot, Version
from arena.db.models.tournaments import Tournament
from arena.db.models.users import Group, User


class Assignment(Base):
    """Task for a class: beat a reference bot before a deadline, then meet in a final tournament."""

    __tablename__ = "assignments"
    __table_args__ = (Index("ix_assignments_open", "closed", "opens"),)

    id: Mapped[Id]
    name: Mapped[str]
    group_id: Mapped[int | None] = mapped_column(ForeignKey("groups.id"), index=True)
    """Group whose members take part; None for all members."""
    variant: Mapped[str]
    reference_id: Mapped[int] = mapped_column(ForeignKey("versions.id"))
    """Version that must be beaten."""
    company: Mapped[list[Any]]
    """IDs of the versions at the other places of each table."""
    share: Mapped[float]
    """Fraction of the points between the two that a bot must exceed."""
    confidence: Mapped[float]
    """Probability with which each answer of a comparison is right, at least."""
    tables: Mapped[int]
    """Number of tables after which a comparison ends without an answer."""
    opens: Mapped[Epoch]
    deadline: Mapped[Epoch]
    """Latest time of an upload that counts."""
    points: Mapped[dict[str, Any]]
    """Rules of points; see `arena.services.assignments.points`."""
    plan: Mapped[dict[str, Any] | None]
    """Plan of the final tournament; None without one."""
    public: Mapped[bool] = mapped_column(default=False)
    """Whether participants see the results of all others by name."""
    final_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"))
    """Final tournament; None until it has started."""
    problem: Mapped[str | None]
    """Reason why the final did not start."""
    reminded: Mapped[Epoch | None]
    """Deadline that participants were reminded of; None before."""
    closed: Mapped[Epoch | None]
    """Time when the arena found nothing more to start for it; None before."""
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[Epoch] = mapped_column(default=now())

    group: Mapped[Group | None] = relationship()
    reference: Mapped[Version] = relationship()
    created_by: Mapped[User] = relationship()


class AssignmentEntry(Base):
    """Bot that counts for a participant."""

    __tablename__ = "assignment_entries"

    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"), index=True)
    first: Mapped[int]
    """Number of the bot's first version that takes part: the active one when it was entered."""
    entered: Mapped[Epoch] = mapped_column(default=now())

    bot: Mapped[Bot] = relationship()


class AssignmentAttempt(Base):
    """Version of a participant's bot, and its comparison with the reference bot."""

    __tablename__ = "assignment_attempts"

    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"), unique=True)
    """Comparison; None if the version cannot be compared."""
    problem: Mapped[str | None]
    """Reason why it cannot be compared."""
    created: Mapped[Epoch] = mapped_column(default=now())

    tournament: Mapped[Tournament | None] = relationship()
