"""Bots, their teams, their versions, and names that they had."""

from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    UniqueConstraint,
    and_,
    func,
    not_,
    or_,
    select,
    text,
)  # fmt: skip
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, deferred, mapped_column, relationship

from arena.db.base import Base, Epoch, Id, one_of
from arena.db.clock import now
from arena.db.models.users import User

_DISPOSABLE: Final = text("state = 'invalid' AND length(source) > 0")


class Bot(Base):
    """A bot belongs to a user, alone or with co-owners; its versions hold its code."""

    __tablename__ = "bots"
    __table_args__ = (
        CheckConstraint("length(trim(disabled)) > 0", name="disabled"),
        CheckConstraint("archived IS NULL OR NOT active", name="archived"),
        one_of("division", "caged", "quick", "slow"),
    )

    id: Mapped[Id]
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    """Name in lower case."""
    active: Mapped[bool] = mapped_column(default=True)
    """Whether its owner lets new tournaments enter it."""
    division: Mapped[str] = mapped_column(default="caged")
    """Division: caged, or the one in which it plays as a program outside the arena (`arena.games.divisions`)."""
    plays_people: Mapped[bool] = mapped_column(default=True)
    """Whether its owner lets it play at the tables of people."""
    disabled: Mapped[str | None]
    """Reason why an administrator disabled it; None if it is not disabled."""
    active_version_id: Mapped[int | None] = mapped_column(
        ForeignKey("versions.id", use_alter=True, name="fk_bots_active_version_id")
    )
    """Version that new tournaments use; None until one is valid."""
    archived: Mapped[Epoch | None]
    """Time at which it was archived; None if it is not. An archived bot is inactive, and lists leave it out."""
    created: Mapped[Epoch] = mapped_column(default=now())

    owner: Mapped[User] = relationship()
    members: Mapped[list["BotMember"]] = relationship(order_by="BotMember.invited, BotMember.user_id", viewonly=True)

    @property
    def team(self) -> frozenset[int]:
        """IDs of its owner and of the co-owners who accepted."""
        return frozenset({self.owner_id, *(one.user_id for one in self.members if one.accepted is not None)})

    @hybrid_property
    def barred(self) -> bool:
        """Whether an administrator disabled it or its owner."""
        return self.disabled is not None or self.owner.disabled is not None

    @barred.inplace.expression
    @classmethod
    def _barred(cls) -> ColumnElement[bool]:
        owners = select(User.id).where(User.disabled.is_not(None)).correlate(None)
        return or_(cls.disabled.is_not(None), cls.owner_id.in_(owners))

    @hybrid_property
    def available(self) -> bool:
        """Whether new tournaments and tables may enter it, once a version is valid."""
        return self.active and not self.barred

    @available.inplace.expression
    @classmethod
    def _available(cls) -> ColumnElement[bool]:
        return and_(cls.active, not_(cls.barred))


class BotMember(Base):
    """A co-owner of a bot, or an account invited to be one. The owner has no row here."""

    __tablename__ = "bot_members"

    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    invited: Mapped[Epoch] = mapped_column(default=now())
    accepted: Mapped[Epoch | None]
    """Time at which the account became a co-owner; None while the invitation is open."""

    user: Mapped[User] = relationship()


class Presence(Base):
    """Offer of a bot outside the arena to play. Requests for its questions renew it."""

    __tablename__ = "presences"
    __table_args__ = (CheckConstraint("tables >= 0", name="tables"),)

    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"), primary_key=True)
    tables: Mapped[int]
    """Largest number of tables at a time."""
    variants: Mapped[list[str] | None]
    """IDs of the variants, without the division, that it plays; None for all."""
    seen: Mapped[Epoch] = mapped_column(default=now())
    """Time of its last request, about."""

    bot: Mapped[Bot] = relationship()


class FormerName(Base):
    """Name that a bot had, reserved for some time: nobody else's bot can be taken for it."""

    __tablename__ = "former_names"
    __table_args__ = (
        CheckConstraint("name_key = lower(name_key) AND length(name_key) BETWEEN 3 AND 32", name="name_key"),
    )

    name_key: Mapped[str] = mapped_column(primary_key=True)
    """The name in lower case."""
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"), index=True)
    until: Mapped[Epoch]
    """Time at which the name is free again."""

    bot: Mapped[Bot] = relationship()


class Version(Base):
    """One upload. Validation fills in the rest; the source never changes, unless it is `pruned`."""

    __tablename__ = "versions"
    __table_args__ = (
        UniqueConstraint("bot_id", "number"),
        Index("ix_versions_disposable", "state", "created", sqlite_where=_DISPOSABLE, postgresql_where=_DISPOSABLE),
        one_of("state", "pending", "valid", "invalid", "infra_failed", "imported", "declared"),
    )

    id: Mapped[Id]
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    number: Mapped[int]
    """Number of the version within the bot; 1 for the first upload."""
    source: Mapped[bytes] = deferred(mapped_column(LargeBinary, nullable=False))
    """Uploaded file; the declaration of a program outside the arena, as JSON."""
    size: Mapped[int]
    """Size of the source in bytes."""
    sha256: Mapped[str]
    files: Mapped[list[Any] | None]
    """Name and size of each file of an archive; None if the source is a single module."""
    state: Mapped[str] = mapped_column(default="pending", index=True)
    """State of validation: pending, valid, invalid or infra_failed; imported, or declared by a program's author."""
    report: Mapped[dict[str, Any] | None]
    """Result of validation; see `arena.services.bots.views.Report`."""
    games: Mapped[list[str] | None]
    """IDs of the games that it declares; None means every game."""
    attempts: Mapped[int] = mapped_column(default=0)
    """Number of times that a worker has claimed its validation, without pieces after which it was continued."""
    fence: Mapped[int] = mapped_column(default=0)
    """Number that every claim raises; verdicts with an older fence are refused."""
    spent: Mapped[float] = mapped_column(default=0.0, server_default=text("0"))
    """Seconds that it computed and slept in its test matches so far."""
    passed: Mapped[dict[str, float] | None]
    """Those seconds for each test match that it has passed; None before the first."""
    lease_until: Mapped[Epoch | None]
    rung_at: Mapped[Epoch | None]
    retry_at: Mapped[Epoch | None]
    """Time before which it cannot be claimed; set after an infrastructure failure."""
    faulted: Mapped[Epoch | None]
    """Time at which it first failed in a rated match; None before."""
    created: Mapped[Epoch] = mapped_column(default=now())

    bot: Mapped[Bot] = relationship(foreign_keys=[bot_id])

    @hybrid_property
    def pruned(self) -> bool:
        """Whether its source was deleted to free space, which happens only to rejected versions."""
        return self.state == "invalid" and not self.source

    @pruned.inplace.expression
    @classmethod
    def _pruned(cls) -> ColumnElement[bool]:
        return (cls.state == "invalid") & (func.length(cls.source) == 0)
