"""Sessions of logged-in members, and links to their accounts. Only hashes of their secrets are stored."""

from sqlalchemy import ForeignKey
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
