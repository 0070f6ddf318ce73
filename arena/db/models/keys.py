"""Access tokens of programs, the requests of devices for one, and answers kept for requests that are sent again."""

from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now


class AccessToken(Base):
    """A token with which a program acts for a member. Its row is deleted when it is revoked or has ended."""

    __tablename__ = "access_tokens"

    id: Mapped[Id]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str]
    token: Mapped[str] = mapped_column(unique=True)
    """SHA-256 hash of the token."""
    scopes: Mapped[list[str]]
    """`arena.services.people.keys.Scope`s."""
    created: Mapped[Epoch] = mapped_column(default=now())
    used: Mapped[Epoch | None]
    """Time of the last use, at most a minute old; None if it was never used."""
    ends: Mapped[Epoch] = mapped_column(index=True)


class DeviceRequest(Base):
    """A program's request for a token, which a member confirms in a browser (RFC 8628).

    Its row is deleted when the program gets the token, or when it has ended.
    """

    __tablename__ = "device_requests"

    id: Mapped[Id]
    token: Mapped[str] = mapped_column(unique=True)
    """SHA-256 hash of the device code, which only the program knows."""
    code: Mapped[str] = mapped_column(unique=True)
    """Code that the member compares or types, without a hyphen."""
    client: Mapped[str]
    """The program's own description of itself."""
    scopes: Mapped[list[str]]
    """Scopes that the program requests; after the confirmation, the granted ones."""
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    """Member who confirmed or refused it; None while it waits."""
    refused: Mapped[bool] = mapped_column(default=False)
    polled: Mapped[Epoch | None]
    """Time at which the program last asked for the token."""
    created: Mapped[Epoch] = mapped_column(default=now())
    ends: Mapped[Epoch] = mapped_column(index=True)


class Repeat(Base):
    """A request that must have its effect once, though it may be sent again, and its answer."""

    __tablename__ = "repeats"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    """Text chosen by the sender, the same each time."""
    digest: Mapped[str]
    """SHA-256 hash of the request, which must be the same each time."""
    answer: Mapped[dict[str, Any] | None]
    """None while the request is in work."""
    created: Mapped[Epoch] = mapped_column(default=now(), index=True)
