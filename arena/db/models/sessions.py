"""Log-in: sessions, links to accounts, and identities at other providers. Only hashes of secrets are stored."""

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now


class UserSession(Base):
    """A member's session in one browser. Its row is deleted when it ends."""

    __tablename__ = "user_sessions"

    id: Mapped[Id]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    token: Mapped[str] = mapped_column(unique=True)
    """SHA-256 hash of the token in the cookie."""
    browser: Mapped[str]
    """Coarse description of the browser, such as ``Firefox on Linux``."""
    created: Mapped[Epoch] = mapped_column(default=now())
    seen: Mapped[Epoch] = mapped_column(default=now())
    """Time of the last use, at most some minutes old."""
    ends: Mapped[Epoch] = mapped_column(index=True)
    """Time at which it ends unless it is used."""


class AccountLink(Base):
    """A link that works once: it resets the password or verifies an e-mail address.

    Its row is deleted when it is used or has ended.
    """

    __tablename__ = "account_links"

    id: Mapped[Id]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    token: Mapped[str] = mapped_column(unique=True)
    """SHA-256 hash of the token in the link."""
    email: Mapped[str | None]
    """Address that it verifies; None if it resets the password."""
    created: Mapped[Epoch] = mapped_column(default=now())
    ends: Mapped[Epoch] = mapped_column(index=True)


class UserIdentity(Base):
    """An account of an OpenID Connect provider or an LTI platform that logs in to an account of the arena."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("user_id", "issuer"),)

    issuer: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    """ID of the account at the issuer, which never gives it to another person."""
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    connected: Mapped[Epoch] = mapped_column(default=now())
