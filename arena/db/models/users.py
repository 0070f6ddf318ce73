"""Users, their groups and notices, announcements to all, and the audit log of organisers and administrators."""

from typing import Any, Final

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id, one_of
from arena.db.clock import now

_MAILED: Final = text("mail_due IS NOT NULL")


class User(Base):
    """An account."""

    __tablename__ = "users"
    __table_args__ = (
        CheckConstraint("length(trim(disabled)) > 0", name="disabled"),
        CheckConstraint("quota_factor BETWEEN 0.01 AND 1000", name="quota_factor"),
    )

    id: Mapped[Id]
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    """Name in lower case: names must differ in more than case."""
    password: Mapped[str | None]
    """Argon2 hash; None for accounts that cannot log in."""
    is_admin: Mapped[bool] = mapped_column(default=False)
    is_organiser: Mapped[bool] = mapped_column(default=False)
    """Whether they may run tournaments and classes. Administrators may in any case."""
    quota_factor: Mapped[float] = mapped_column(default=1.0)
    """Factor of the member's quotas; see `arena.services.people.quotas`."""
    disabled: Mapped[str | None]
    """Reason why an administrator disabled the account; None if it is not disabled."""
    email: Mapped[str | None]
    """Verified address to which mail is sent; None if there is none. See `arena.services.people.addresses`."""
    notice_choices: Mapped[dict[str, Any] | None]
    """Chosen way of each kind of notice; see `arena.services.people.notices`. None if nothing was chosen."""
    language: Mapped[str | None]
    """Tag of the language that they chose, for mails and notices; None if they chose none."""
    listed: Mapped[bool] = mapped_column(default=False)
    """Whether they want to be on the list of people who play."""
    created: Mapped[Epoch] = mapped_column(default=now())
    deleted: Mapped[Epoch | None]
    """Time of its deletion. The row stays under a neutral name, because results refer to it."""


class Group(Base):
    """A group of members, such as a class."""

    __tablename__ = "groups"

    id: Mapped[Id]
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    """Name in lower case: names must differ in more than case."""
    created: Mapped[Epoch] = mapped_column(default=now())


class GroupMember(Base):
    """A member of a group."""

    __tablename__ = "group_members"

    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    real_name: Mapped[str] = mapped_column(default="")
    """Name that only organisers see; empty if unknown."""
    joined: Mapped[Epoch] = mapped_column(default=now())


class AuditEntry(Base):
    """Something that an organiser or administrator did. Rows are added, and never changed or deleted."""

    __tablename__ = "audit"

    id: Mapped[Id]
    at: Mapped[Epoch] = mapped_column(default=now())
    actor_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    """None if it was the arena itself."""
    actor: Mapped[str]
    """Name of the actor at that time."""
    action: Mapped[str]
    """Past tense, such as ``disabled a member``."""
    subject: Mapped[str] = mapped_column(index=True)
    """Whom or what it was done to, such as ``member ann``."""
    detail: Mapped[str] = mapped_column(default="")
    """Reason or new value; empty if there is none."""


class ValidationRequest(Base):
    """A validation that a member asked for, which counts towards a quota for a day, even if its bot is deleted."""

    __tablename__ = "validation_requests"
    __table_args__ = (Index("ix_validation_requests_user_id_at", "user_id", "at"),)

    id: Mapped[Id]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    at: Mapped[Epoch] = mapped_column(default=now())


class Announcement(Base):
    """A message that every page shows to everybody until it ends. Only its end ever changes."""

    __tablename__ = "announcements"
    __table_args__ = (one_of("severity", "info", "warning", "urgent"),)

    id: Mapped[Id]
    text: Mapped[str]
    severity: Mapped[str]
    """A `arena.services.base.states.Severity`."""
    until: Mapped[Epoch] = mapped_column(index=True)
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created: Mapped[Epoch] = mapped_column(default=now())

    created_by: Mapped[User] = relationship()


class Notice(Base):
    """A message for a user."""

    __tablename__ = "notices"
    __table_args__ = (Index("ix_notices_mail_due", "mail_due", sqlite_where=_MAILED, postgresql_where=_MAILED),)

    id: Mapped[Id]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    text: Mapped[str]
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"))
    """ID of the tournament that it is about; None if there is none."""
    kind: Mapped[str] = mapped_column(default="other")
    """An `arena.services.people.notices.NoticeKind`."""
    bot_id: Mapped[int | None]
    """ID of the bot that it is about; None if there is none. The bot may be gone."""
    mail_due: Mapped[Epoch | None]
    """Time from which it is sent by mail unless it has been seen; None if it is not to be sent, or has been."""
    created: Mapped[Epoch] = mapped_column(default=now())
    seen: Mapped[bool] = mapped_column(default=False)
