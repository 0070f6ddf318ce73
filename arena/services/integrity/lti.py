"""Integrity of learning platforms, of their courses and launches, and of grades."""

from collections.abc import Iterator
from ipaddress import ip_network
from typing import Final

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import LtiCourse, LtiLaunch, LtiLink, LtiPlatform, LtiScore
from arena.services.base.context import Arena
from arena.services.integrity.findings import Check, Wrong, check_rows, correct, correct_by_deletion
from arena.services.integrity.outbox import outgoing
from arena.services.lti.courses import LONGEST_TITLE
from arena.services.lti.messages import Message
from arena.services.lti.platforms import checked, is_key, terms_of

EVERYWHERE: Final = (ip_network("0.0.0.0/0"), ip_network("::/0"))
"""Networks of all addresses: which of them are allowed is the operator's choice, and may change."""
SLACK: Final = 1.0
"""Seconds by which a time may lie in the future."""
SHOWN: Final = 8
"""Number of characters that name a launch. Its whole nonce is a secret of its browser."""


def platform(session: Session, platform_id: int) -> Iterator[Wrong]:
    """Check a platform. Raises `Refused` if its terms are not valid."""
    row = session.get_one(LtiPlatform, platform_id)
    if not is_key(row.private_key):
        yield Wrong("its key is malformed: nothing can be signed for it")
    checked(terms_of(row), EVERYWHERE)


def course(session: Session, course_id: int) -> Iterator[Wrong]:
    """Check a course."""
    row = session.get_one(LtiCourse, course_id)
    if not 0 < len(row.title) <= LONGEST_TITLE:
        yield Wrong(f"its title has {len(row.title)} characters; it must have 1 to {LONGEST_TITLE}")


def activity(session: Session, link_id: int) -> Iterator[Wrong]:
    """Check an activity."""
    row = session.get_one(LtiLink, link_id)
    if row.assignment.group_id != row.course.group_id:
        yield Wrong(f"assignment {row.assignment_id} is not of the class of course {row.course_id}")
    ahead = row.looked - session.scalars(select(now())).one()
    if ahead > SLACK:
        what = f"the last look at its points lies {ahead:,.0f} s in the future"
        yield Wrong(what, correct(LtiLink, {"looked": 0.0}, id=link_id))


def grade(session: Session, score_id: int) -> Iterator[Wrong]:
    """Check a grade. Its points may be more than the maximum: a teacher may give the second place the most."""
    row = session.get_one(LtiScore, score_id)
    if not row.given >= 0:
        yield Wrong(f"its points are {row.given}")
    yield from outgoing(session, row)


def launch(session: Session, start: str) -> Iterator[Wrong]:
    """Check the launches whose nonce starts so. A wrong one may end at once, as its person can launch again."""
    current = session.scalars(select(now())).one()
    for row in session.scalars(select(LtiLaunch).where(func.substr(LtiLaunch.nonce, 1, SHOWN) == start)):
        end = correct_by_deletion(LtiLaunch, nonce=row.nonce)
        if row.at > current + SLACK:
            yield Wrong(f"its time lies {row.at - current:,.0f} s in the future", end)
        try:
            message = msgspec.convert(row.message, Message)
        except msgspec.ValidationError:
            yield Wrong("its message is malformed", end)
        else:
            if row.answer is not None and message.deep is None:
                yield Wrong("it has an answer, but asked for no activity", end)


def _starts(arena: Arena) -> list[str]:
    with arena.reading() as session:
        return list(session.scalars(select(func.substr(LtiLaunch.nonce, 1, SHOWN)).distinct()))


CHECKS = (
    check_rows("platform", LtiPlatform, platform),
    check_rows("course", LtiCourse, course),
    check_rows("activity", LtiLink, activity),
    check_rows("grade", LtiScore, grade),
    Check("launch", _starts, launch),
)
