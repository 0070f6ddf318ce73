"""Platforms for learning that are connected by LTI 1.3, their courses, and launches from them."""

from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now
from arena.db.models.users import Group


class LtiPlatform(Base):
    """A platform, such as a school's Moodle, and the arena's registration with it."""

    __tablename__ = "lti_platforms"
    __table_args__ = (UniqueConstraint("issuer", "client_id"),)

    id: Mapped[Id]
    name: Mapped[str]
    issuer: Mapped[str]
    """Name with which it signs; its accounts are rows of `UserIdentity` with this issuer."""
    client_id: Mapped[str]
    """ID that it gave the arena."""
    auth_url: Mapped[str]
    token_url: Mapped[str]
    jwks_url: Mapped[str]
    deployments: Mapped[list[str]]
    """IDs of the deployments whose launches are accepted."""
    private_key: Mapped[dict[str, Any]]
    """Private key (JWK) with which the arena signs for this platform."""
    created: Mapped[Epoch] = mapped_column(default=now())


class LtiCourse(Base):
    """A course of a platform, and the group that is its class here."""

    __tablename__ = "lti_courses"
    __table_args__ = (UniqueConstraint("platform_id", "deployment", "context"),)

    id: Mapped[Id]
    platform_id: Mapped[int] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    deployment: Mapped[str]
    context: Mapped[str]
    """ID of the course in the deployment."""
    title: Mapped[str]
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)
    created: Mapped[Epoch] = mapped_column(default=now())

    platform: Mapped[LtiPlatform] = relationship()
    group: Mapped[Group] = relationship()


class LtiLaunch(Base):
    """A launch that was received. The row is deleted after an hour; until then its nonce is used up."""

    __tablename__ = "lti_launches"

    nonce: Mapped[str] = mapped_column(primary_key=True)
    platform_id: Mapped[int] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    message: Mapped[dict[str, Any]]
    """An `arena.services.lti.messages.Message`."""
    at: Mapped[Epoch] = mapped_column(default=now(), index=True)

    platform: Mapped[LtiPlatform] = relationship()
