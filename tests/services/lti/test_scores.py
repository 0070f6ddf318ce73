"""Grades on both databases: each is claimed once, and an outcome is that of the points that were sent."""

import pytest
from sqlalchemy import select

from arena.db.models import Assignment, LtiCourse, LtiLink, LtiScore, UserIdentity
from arena.services.assignments import actions as assignments
from arena.services.assignments.points import Points, as_json
from arena.services.assignments.terms import Challenge, Terms
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.lti import platforms, scores
from arena.services.people import groups
from tests import factories

SITE = "https://moodle.example"


@pytest.fixture
def waiting(arena: Arena, admin: Account) -> Arena:
    """The arena, with one grade to be sent."""
    urls = (f"{SITE}/auth", f"{SITE}/token", f"{SITE}/keys")
    platform = platforms.add(arena, admin, platforms.Terms("Moodle", SITE, "arena", *urls, ("1",)))
    group = groups.create(arena, admin, "7b")
    reference = factories.bot(arena, admin, "Reference")
    task = assignments.create(arena, admin, Challenge("suitability-2", reference, group), Terms("Beat it", 0.0, 4e9))
    with arena.transaction() as session:
        course = LtiCourse(platform_id=platform, deployment="1", context="c", title="Course", group_id=group)
        session.add_all([course, UserIdentity(issuer=SITE, subject="p-1", user_id=admin.id)])
        session.flush()
        link = LtiLink(course_id=course.id, resource="r", assignment_id=task, lineitem=f"{SITE}/lineitems/1")
        session.add(link)
        session.flush()
        scores._put(session, link.id, admin.id, 1.0, 5.0)
    return arena


def state(arena: Arena) -> tuple[str, int, str]:
    """Return state, attempts and answer of the only grade."""
    with arena.reading() as session:
        found = session.execute(select(LtiScore.state, LtiScore.attempts, LtiScore.answer)).one()
        return found.state, found.attempts, found.answer


def test_grade_is_claimed_once(waiting: Arena) -> None:
    """A second courier finds nothing, until the claim is too old."""
    job = scores._claim(waiting, set())

    assert job is not None
    assert job.body["userId"] == "p-1"
    assert scores._claim(waiting, set()) is None
    assert scores._claim(waiting, {job.platform.id}) is None


def test_points_that_change_while_they_are_sent_are_sent_again(waiting: Arena) -> None:
    """The outcome of the older points is not theirs."""
    job = scores._claim(waiting, set())
    assert job
    with waiting.transaction() as session:
        scores._put(session, 1, session.scalars(select(LtiScore.user_id)).one(), 2.0, 5.0)
        scores._settle(session, job, None)

    assert state(waiting)[:2] == ("waiting", 0)


@pytest.mark.parametrize("places", [(3.0, 5.0), (5.0, 3.0), (5.0,)])
def test_most_points_are_those_of_the_best_paid_place(places: tuple[float, ...]) -> None:
    """A teacher may give the second place more than the first. Without a final no place gives points."""
    points = as_json(Points(valid=1.0, beaten=2.0, places=places))

    assert scores.most_points(Assignment(points=points, plan={"format": "swiss"})) == 8.0
    assert scores.most_points(Assignment(points=points, plan=None)) == 3.0
