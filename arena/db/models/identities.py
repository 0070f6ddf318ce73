"""Identities: accounts of an OpenID Connect provider that log in to accounts of the arena."""

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base, Epoch
from arena.db.clock import now


class UserIdentity(Base):
    """An account of a provider, connected to a user."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("user_id", "issuer"),)

    issuer: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    """ID of the account at the issuer, which never gives it to another person."""
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    connected: Mapped[Epoch] = mapped_column(default=now())
