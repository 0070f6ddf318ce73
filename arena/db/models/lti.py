"""Platforms for learning that are connected by LTI 1.3, their courses, launches from them, and grades for them."""

from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.db.base import Base, Epoch, Id
from arena.db.clock import now
from arena.db.models.assignments import Assignment
from arena.db.models.outgoing import Outgoing, outgoing
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
    roster_url: Mapped[str | None]
    """URL at which the platform lists its people; None if no teacher's launch has told one."""
    created: Mapped[Epoch] = mapped_column(default=now())

    platform: Mapped[LtiPlatform] = relationship()
    group: Mapped[Group] = relationship()


class LtiLink(Base):
    """An activity of a course that is an assignment here, and the column of grades that the platform has for it."""

    __tablename__ = "lti_links"
    __table_args__ = (UniqueConstraint("course_id", "resource"),)

    id: Mapped[Id]
    course_id: Mapped[int] = mapped_column(ForeignKey("lti_courses.id", ondelete="CASCADE"))
    resource: Mapped[str]
    """ID of the activity."""
    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id", ondelete="CASCADE"), index=True)
    lineitem: Mapped[str]
    """URL of the column of grades."""
    looked: Mapped[Epoch] = mapped_column(default=0.0)
    """Time of the last look at the assignment's points."""

    course: Mapped[LtiCourse] = relationship()
    assignment: Mapped[Assignment] = relationship()


class LtiScore(Outgoing, Base):
    """A grade on its way to a platform, or what became of it. A member has one for each link."""

    __tablename__ = "lti_scores"
    __table_args__ = (
        UniqueConstraint("link_id", "user_id"),
        *outgoing(),
        CheckConstraint("maximum > 0", name="maximum"),
    )

    link_id: Mapped[int] = mapped_column(ForeignKey("lti_links.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    given: Mapped[float]
    """Points."""
    maximum: Mapped[float]
    """Most points that the assignment gives."""

    link: Mapped[LtiLink] = relationship()


class LtiLaunch(Base):
    """A launch that was received. The row is deleted after an hour; until then its nonce is used up."""

    __tablename__ = "lti_launches"

    nonce: Mapped[str] = mapped_column(primary_key=True)
    platform_id: Mapped[int] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    message: Mapped[dict[str, Any]]
    """An `arena.services.lti.messages.Message`."""
    frame: Mapped[str | None] = mapped_column(unique=True)
    """Secret of the frame from which its window was opened; None if there is none."""
    answer: Mapped[str | None]
    """Signed answer to a teacher's choice of an activity; None before."""
    entered: Mapped[bool] = mapped_column(default=False)
    """Whether it has logged the person in."""
    at: Mapped[Epoch] = mapped_column(default=now(), index=True)

    platform: Mapped[LtiPlatform] = relationship()
