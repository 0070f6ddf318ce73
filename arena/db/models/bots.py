"""Bots, and their versions."""

from typing import Any

from sqlalchemy import ForeignKey, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, deferred, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now
from arena.db.models.users import User


class Bot(Base):
    """A bot belongs to a user; what it does is in its versions."""

    __tablename__ = "bots"

    id: Mapped[Id]
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    """The name in lower case."""
    active: Mapped[bool] = mapped_column(default=True)
    """Whether new tournaments take it."""
    active_version_id: Mapped[int | None] = mapped_column(
        ForeignKey("versions.id", use_alter=True, name="fk_bots_active_version_id")
    )
    """The version that new tournaments take; None until one is valid."""
    created: Mapped[Epoch] = mapped_column(default=now())

    owner: Mapped[User] = relationship()


class Version(Base):
    """One upload. Its source never changes; validation fills in the rest."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("bot_id", "number"),)

    id: Mapped[Id]
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    number: Mapped[int]
    """1 for the first upload of the bot."""
    source: Mapped[bytes] = deferred(mapped_column(LargeBinary, nullable=False))
    size: Mapped[int]
    """Bytes of the source."""
    sha256: Mapped[str]
    files: Mapped[list[Any] | None]
    """Name and size of each file of an archive; None where the source is a single module."""
    state: Mapped[str] = mapped_column(default="pending", index=True)
    """pending, valid, invalid, infra_failed."""
    report: Mapped[dict[str, Any] | None]
    """What validation found; see `arena.services.shapes.Report`."""
    games: Mapped[list[str] | None]
    """List of the ids of games that it declares; None means every game."""
    attempts: Mapped[int] = mapped_column(default=0)
    """How often a worker took up its validation."""
    fence: Mapped[int] = mapped_column(default=0)
    """Raised by every claim; a verdict with an older fence is not taken."""
    lease_until: Mapped[Epoch | None]
    rung_at: Mapped[Epoch | None]
    retry_at: Mapped[Epoch | None]
    """Not to be claimed before; set when the machinery failed."""
    created: Mapped[Epoch] = mapped_column(default=now())

    bot: Mapped[Bot] = relationship(foreign_keys=[bot_id])
