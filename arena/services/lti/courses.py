"""Courses of platforms, each linked to a group by a teacher; learners of the course become members."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Group, LtiCourse
from arena.db.upsert import insert_missing
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.lti import scores
from arena.services.lti.launches import Launch
from arena.services.people import audit, groups
from arena.words import _

LONGEST_TITLE: Final = 80
"""Largest length of the title of a course, in characters; a longer one is cut."""


@dataclass(frozen=True)
class CourseRow:
    """A course that is linked to a group."""

    id: int
    title: str
    platform: str
    group_id: int
    group: str


def of_launch(arena: Arena, launch: Launch) -> CourseRow | None:
    """Return the course of a launch; None if it is not linked."""
    with arena.reading() as session:
        course = _find(session, launch)
        return _row(course) if course else None


def of_group(arena: Arena, account: Account, group_id: int) -> list[CourseRow]:
    """Return the courses of a group. Raises `Refused`."""
    check_organiser(account)
    with arena.reading() as session:
        rows = session.scalars(select(LtiCourse).where(LtiCourse.group_id == group_id).order_by(LtiCourse.id))
        return [_row(one) for one in rows]


def get(arena: Arena, account: Account, course_id: int) -> CourseRow:
    """Return a course. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.reading() as session:
        return _row(found(session, course_id))


def link(arena: Arena, account: Account, launch: Launch, group_id: int) -> None:
    """Link the course of a teacher's launch to a group, unless it is linked. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    if not launch.message.teaches:
        raise Refused(_("Only a teacher of the course links it to a class."))
    with arena.transaction() as session:
        group = groups.locked(session, group_id)
        row = {**_key(launch), "title": title(launch), "group_id": group.id}
        insert_missing(session, LtiCourse, row)
        audit.note(session, account, "linked a course", f"group {group.name}", f"{row['title']} ({launch.platform})")


def unlink(arena: Arena, account: Account, course_id: int) -> None:
    """Unlink a course from its group; members stay. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        course = found(session, course_id)
        audit.note(session, account, "unlinked a course", f"group {course.group.name}", course.title)
        session.delete(course)


def enter(arena: Arena, account: Account, launch: Launch) -> tuple[CourseRow, int | None]:
    """Make a learner a member of the class if necessary, with the platform's name for them.

    Returns the course, and the ID of the assignment that the activity is; None if it is none. Raises `Refused`.
    """
    with arena.transaction() as session:
        course = _find(session, launch)
        if course is None:
            raise Refused(_("The course %(title)s is not linked to a class.", title=title(launch)))
        if not launch.message.teaches and not groups.is_member(session, course.group_id, account.id):
            groups.locked(session, course.group_id)
            groups.put(session, course.group_id, account.id, _real_name(launch))
        if launch.message.teaches and launch.message.roster:
            course.roster_url = launch.message.roster.context_memberships_url
        return _row(course), scores.attach(session, course, launch.message)


def title(launch: Launch) -> str:
    """Return the title of a launch's course."""
    course = launch.message.course
    return " ".join((course.title or course.label or course.id).split())[:LONGEST_TITLE] or "Course"


def _real_name(launch: Launch) -> str:
    with suppress(Refused):
        return groups.check_real_name(launch.message.name or "")
    return ""


def _key(launch: Launch) -> dict[str, object]:
    message = launch.message
    return {"platform_id": launch.platform_id, "deployment": message.deployment, "context": message.course.id}


def found(session: Session, course_id: int) -> LtiCourse:
    """Return a course. Raises `NotFound`."""
    course = session.get(LtiCourse, course_id)
    if course is None:
        raise NotFound(_("There is no course %(id)s.", id=course_id))
    return course


def _find(session: Session, launch: Launch) -> LtiCourse | None:
    return session.scalars(select(LtiCourse).filter_by(**_key(launch))).one_or_none()


def _row(course: LtiCourse) -> CourseRow:
    group: Group = course.group
    return CourseRow(course.id, course.title, course.platform.name, group.id, group.name)
