"""Invitations: links with which people register, and join a group."""

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now
from arena.db.models.users import Group, User


class Invitation(Base):
    """A link that organisers give away."""

    __tablename__ = "invitations"
    __table_args__ = (
        CheckConstraint("uses >= 1", name="uses"),
        CheckConstraint("real_name = '' OR (uses = 1 AND group_id IS NOT NULL)", name="real_name"),
    )

    id: Mapped[Id]
    token: Mapped[str] = mapped_column(unique=True)
    """Secret part of the link, not hashed: organisers look it up again to write it on a board or to hand it out, and
    all it grants is a new account in a group, until it ends or is revoked."""
    group_id: Mapped[int | None] = mapped_column(ForeignKey("groups.id"), index=True)
    """Group that its users join; None if there is none, or if it was deleted."""
    real_name: Mapped[str] = mapped_column(default="")
    """Name of the only person that it is for, which only organisers see; empty if it is for anybody."""
    uses: Mapped[int]
    """Largest number of uses."""
    expires: Mapped[Epoch]
    created: Mapped[Epoch] = mapped_column(default=now())
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    revoked: Mapped[Epoch | None]

    group: Mapped[Group | None] = relationship()
    created_by: Mapped[User] = relationship()


class InvitationUse(Base):
    """A use of an invitation."""

    __tablename__ = "invitation_uses"

    invitation_id: Mapped[int] = mapped_column(ForeignKey("invitations.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    at: Mapped[Epoch] = mapped_column(default=now())
