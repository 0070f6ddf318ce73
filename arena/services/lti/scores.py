"""Grades: points of assignments, returned to the course by the Assignment and Grade Services of LTI.

A look at an assignment notes the points that differ from those sent last. The courier sends them.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Assignment, LtiCourse, LtiLink, LtiPlatform, LtiScore, User, UserIdentity
from arena.db.upsert import insert_missing
from arena.games.errors import NotFound, Refused
from arena.services.assignments import rows
from arena.services.assignments.points import from_json
from arena.services.base import outbox
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.views import view_of
from arena.services.events.log import DAY
from arena.services.lti import tokens
from arena.services.lti.asking import ask
from arena.services.lti.messages import GRADES, Message
from arena.words import N_, _

EVERY: Final = 60.0
"""Seconds between two looks at the points of an assignment."""
LONG: Final = 30 * DAY
"""Seconds after the deadline for which points are looked at."""
SCOPE: Final = f"{GRADES}scope/score"
SCORE: Final = "application/vnd.ims.lis.v1.score+json"


@dataclass(frozen=True)
class ScoreRow:
    """A grade, and what became of it."""

    id: int
    assignment_id: int
    assignment: str
    user: str
    given: float
    maximum: float
    state: str
    attempts: int
    due: datetime
    sent: datetime | None
    answer: str


class Job(NamedTuple):
    """A claimed score."""

    score: LtiScore
    platform: LtiPlatform
    lineitem: str
    body: dict[str, Any]


def note(arena: Arena) -> None:
    """Note the points that differ from those sent last, of assignments not looked at lately."""
    due = select(LtiLink.id).join(Assignment).where(LtiLink.looked <= now() - EVERY, Assignment.deadline > now() - LONG)
    with arena.reading() as session:
        ids = session.scalars(due.order_by(LtiLink.id)).all()
    for link_id in ids:
        with arena.transaction() as session:
            _note(session, session.get_one(LtiLink, link_id, with_for_update=True))


def send_due(arena: Arena) -> int:
    """Send the scores that are due, and return their number. A platform that fails is asked no more until next time."""
    sent, failing, given = 0, set[int](), dict[int, str]()
    while job := _claim(arena, failing):
        answer = _send(arena, job, given)
        with arena.transaction() as session:
            _settle(session, job, answer)
        if answer is not None:
            failing.add(job.platform.id)
        sent += 1
    return sent


def attach(session: Session, course: LtiCourse, message: Message) -> int | None:
    """Return the ID of the assignment that an activity names, and note where its grades go.

    None if it names none, or one that is not for the course's class.
    """
    named = str(message.custom.assignment if message.custom else "")
    assignment = (
        session.get(Assignment, int(named)) if named.isascii() and named.isdigit() and len(named) < 10 else None
    )
    if assignment is None or assignment.group_id != course.group_id:
        return None
    if message.resource and message.grades and message.grades.lineitem and SCOPE in message.grades.scope:
        mine = {"course_id": course.id, "resource": message.resource.id}
        target = {"assignment_id": assignment.id, "lineitem": message.grades.lineitem}
        insert_missing(session, LtiLink, {**mine, **target})
        session.execute(update(LtiLink).filter_by(**mine).values(**target))
    return assignment.id


def most_points(assignment: Assignment) -> float:
    """Return the most points that an assignment gives."""
    points = from_json(assignment.points)
    return points.valid + points.beaten + (max(points.places, default=0.0) if assignment.plan else 0.0)


def listed(arena: Arena, account: Account, course_id: int) -> list[ScoreRow]:
    """Return the scores of a course by assignment and member. Raises `Refused`."""
    check_organiser(account)
    found = (
        select(LtiScore, Assignment.id, Assignment.name, User.name)
        .join(LtiLink, LtiLink.id == LtiScore.link_id)
        .join(Assignment, Assignment.id == LtiLink.assignment_id)
        .join(User, User.id == LtiScore.user_id)
        .where(LtiLink.course_id == course_id)
        .order_by(Assignment.id, LtiLink.id, User.name_key)
    )
    with arena.reading() as session:
        return [
            view_of(ScoreRow, score, assignment_id=assignment_id, assignment=assignment, user=user)
            for score, assignment_id, assignment, user in session.execute(found)
        ]


def send_again(arena: Arena, account: Account, course_id: int, score_id: int) -> None:
    """Send a score of a course again. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        score = session.get(LtiScore, score_id, with_for_update=True)
        if score is None or score.link.course_id != course_id:
            raise NotFound(_("There is no grade %(id)s.", id=score_id))
        outbox.send_again(score)


def _note(session: Session, link: LtiLink) -> None:
    link.looked = session.scalars(select(now())).one()
    maximum = most_points(link.assignment)
    if not maximum:
        return
    for student in rows.students(session, link.assignment, private=()):
        if student.bot_id is not None and _subject(session, link.course.platform, student.user_id):
            _put(session, link.id, student.user_id, round(student.award.total, 4), maximum)


def _put(session: Session, link_id: int, user_id: int, given: float, maximum: float) -> None:
    mine = {"link_id": link_id, "user_id": user_id}
    insert_missing(session, LtiScore, {**mine, "given": given, "maximum": maximum})
    score = session.scalars(select(LtiScore).filter_by(**mine).with_for_update()).one()
    if (score.given, score.maximum) != (given, maximum):
        score.given, score.maximum = given, maximum
        outbox.send_again(score)


def _claim(arena: Arena, failing: set[int]) -> Job | None:
    """Claim a score that is due; None if there is none."""
    first = (
        select(LtiScore.id)
        .join(LtiLink, LtiLink.id == LtiScore.link_id)
        .join(LtiCourse, LtiCourse.id == LtiLink.course_id)
        .where(*outbox.due(LtiScore), LtiCourse.platform_id.not_in(failing))
        .order_by(LtiScore.due, LtiScore.id)
        .limit(1)
    )
    with arena.reading() as session:
        found = session.scalar(first)
    if found is None:
        return None
    with arena.transaction() as session:
        score = outbox.claim(session, LtiScore, found)
        return _job(session, score) if score else None


def _job(session: Session, score: LtiScore) -> Job:
    link = score.link
    platform = link.course.platform
    at = datetime.fromtimestamp(score.sent or 0.0, UTC)
    body = {
        "userId": _subject(session, platform, score.user_id), "scoreGiven": score.given, "scoreMaximum": score.maximum,
        "activityProgress": "Completed", "gradingProgress": "FullyGraded", "timestamp": at.isoformat(),
    }  # fmt: skip
    return Job(score, platform, link.lineitem, body)


def _send(arena: Arena, job: Job, given: dict[int, str]) -> str | None:
    """Send a score. Returns why it failed; None if the platform accepted it. `given` has the tokens of platforms."""
    if job.body["userId"] is None:
        return N_("The member disconnected from the platform.")
    parts = urlsplit(job.lineitem)
    url = urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))
    try:
        if job.platform.id not in given:
            given[job.platform.id] = tokens.fetch(arena.settings, job.platform, SCOPE)
        headers = {"Content-Type": SCORE, "Authorization": f"Bearer {given[job.platform.id]}"}
        ask(arena.settings, "POST", url, json.dumps(job.body).encode(), headers)
    except Refused as refusal:
        return str(refusal)
    return None


def _settle(session: Session, job: Job, failure: str | None) -> None:
    if score := outbox.settle(session, job.score, failure is None):
        score.answer = failure or N_("Accepted.")


def _subject(session: Session, platform: LtiPlatform, user_id: int) -> str | None:
    """Return a member's ID at a platform; None if the platform does not know the member."""
    mine = (UserIdentity.issuer == platform.issuer, UserIdentity.user_id == user_id)
    return session.scalar(select(UserIdentity.subject).where(*mine))
