"""Grades: points of an assignment, returned to the platform's column."""

import pytest
from flask import Flask
from sqlalchemy import delete, select, update

from arena.db.models import Assignment, LtiLink, LtiScore, Version
from arena.services.assignments import actions as assignments
from arena.services.assignments.terms import Challenge, Terms
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.outbox import PAUSES
from arena.services.lti import scores
from arena.services.people import accounts
from tests import factories
from tests.web.conftest import Person, words
from tests.web.lti.platform import PUPIL, Platform
from workers.courier import Courier

SOON = 4e9


@pytest.fixture
def pupil(app: Flask, reaching: Arena, platform: Platform, published: Person, admin: Account) -> Person:
    """A learner of a course, who entered a valid bot for assignment 1 and opened the activity."""
    platform.scores.clear()
    platform.out_of_order = False
    reference = factories.bot(reaching, admin, "Reference")
    assignments.create(
        reaching, admin, Challenge("suitability-2", reference, 1), Terms("Beat it", 0.0, SOON, final=None)
    )
    person = Person(app, "ada-l")
    platform.launch(person, PUPIL, **platform.grades(scores.SCOPE))
    assert "<h1>Beat it</h1>" in person.send("/lti/register", name="ada-l")
    return person


def enter(arena: Arena, name: str) -> None:
    """Enter a valid bot of a member for assignment 1."""
    account = accounts.account(arena, accounts.id_of(arena, name))
    assert account
    version = factories.bot(arena, account, f"Bot-of-{name}")
    with arena.reading() as session:
        bot = session.get_one(Version, version).bot_id
    assignments.enter(arena, account, 1, bot)


def look(arena: Arena) -> int:
    """Look at all points and send what is due."""
    with arena.transaction() as session:
        session.execute(update(LtiLink).values(looked=0.0))
    scores.note(arena)
    return scores.send_due(arena)


def due_now(arena: Arena) -> None:
    """Let every score be due."""
    with arena.transaction() as session:
        session.execute(update(LtiScore).values(due=0.0))


def test_points_are_sent_once_for_each_change(
    reaching: Arena, platform: Platform, published: Person, pupil: Person, admin: Account
) -> None:
    """The page of the course says what was sent and what the platform answered."""
    assert look(reaching) == 0
    enter(reaching, "ada-l")

    assert [look(reaching), look(reaching)] == [1, 0]
    (score,) = platform.scores
    assert score.pop("timestamp").endswith("+00:00")
    assert score == {
        "userId": "p-1", "scoreGiven": 1.0, "scoreMaximum": 5.0, "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
    }  # fmt: skip
    page = words(published.visit("/lti/courses/1"))
    assert "Beat it ada-l 1 of 5 delivered" in page
    assert "Accepted." in page

    with reaching.transaction() as session:
        session.execute(update(Assignment).values(points=POINTS))
    assert look(reaching) == 1
    assert platform.scores[-1]["scoreGiven"] == 2.0


POINTS = {"valid": 2.0, "beaten": 4.0, "places": []}


def test_platform_that_fails_is_asked_again(
    reaching: Arena, platform: Platform, published: Person, pupil: Person
) -> None:
    """The page says what it answered; after the last attempt the score is given up."""
    enter(reaching, "ada-l")
    platform.out_of_order = True

    assert look(reaching) == 1
    page = words(published.visit("/lti/courses/1"))
    assert "waiting" in page
    assert "127.0.0.1 answered 503 to POST /lineitems/1/scores." in page
    assert scores.send_due(reaching) == 0

    platform.out_of_order = False
    due_now(reaching)
    assert scores.send_due(reaching) == 1
    assert len(platform.scores) == 1


def test_score_that_was_given_up_is_sent_again(
    reaching: Arena, platform: Platform, published: Person, pupil: Person
) -> None:
    """After the last attempt a teacher can have it sent anew."""
    enter(reaching, "ada-l")
    platform.out_of_order = True
    look(reaching)
    assert "Send again" not in published.visit("/lti/courses/1")
    for _ in PAUSES:
        due_now(reaching)
        scores.send_due(reaching)
    page = words(published.visit("/lti/courses/1"))
    assert "failed" in page
    assert "Send again : Beat it, ada-l" in page

    platform.out_of_order = False
    assert scores.send_due(reaching) == 0
    assert "The grade is sent again in a moment." in published.send("/lti/courses/1/again", score=1)
    assert scores.send_due(reaching) == 1
    assert len(platform.scores) == 1
    for course, score in ((2, 1), (1, 2)):
        published.send(f"/lti/courses/{course}/again", 404, score=score)


def test_token_serves_all_scores_of_a_platform(app: Flask, reaching: Arena, platform: Platform, pupil: Person) -> None:
    """The arena asks for one each time it sends scores."""
    other = Person(app, "alan-t")
    platform.launch(other, {"sub": "p-2"})
    other.send("/lti/register", name="alan-t")
    for name in ("ada-l", "alan-t"):
        enter(reaching, name)
    before = len(platform.tokens)

    assert look(reaching) == 2
    assert len(platform.tokens) == before + 1


def test_courier_sends_scores(reaching: Arena, platform: Platform, pupil: Person) -> None:
    """Beside deliveries to webhooks."""
    enter(reaching, "ada-l")
    scores.note(reaching)
    Courier(reaching).send_all()

    assert len(platform.scores) == 1


def test_member_who_disconnects_gets_no_grades(reaching: Arena, platform: Platform, pupil: Person) -> None:
    """Their ID at the platform is gone."""
    enter(reaching, "ada-l")
    scores.note(reaching)
    pupil.send("/account/password", present="", password="a new horse battery", repeat="a new horse battery")
    pupil.send("/lti/disconnect/1")

    assert scores.send_due(reaching) == 1
    assert platform.scores == []
    with reaching.reading() as session:
        assert session.scalars(select(LtiScore.answer)).one() == "The member disconnected from the platform."


@pytest.mark.parametrize("named", ["2", "x", "-1", "1" * 30, None])
def test_activity_without_an_assignment_of_the_class_leads_to_the_list(
    app: Flask, platform: Platform, published: Person, named: str | None
) -> None:
    """Nobody gets grades of other classes by a custom parameter."""
    pupil = Person(app)
    custom = {"https://purl.imsglobal.org/spec/lti/claim/custom": {"assignment": named}}
    platform.launch(pupil, PUPIL, **platform.grades(scores.SCOPE) | custom)

    assert "<h1>Assignments</h1>" in pupil.send("/lti/register", name="ada-l")
    assert "No grades yet" in words(published.visit("/lti/courses/1"))


def test_platform_that_takes_no_scores_gets_none(
    app: Flask, reaching: Arena, platform: Platform, pupil: Person
) -> None:
    """Without the scope or the column, the activity still leads to the assignment."""
    with reaching.transaction() as session:
        session.execute(delete(LtiLink))
    assert "<h1>Beat it</h1>" in platform.launch(pupil, PUPIL, **platform.grades())

    enter(reaching, "ada-l")
    assert look(reaching) == 0


def test_column_at_an_internal_address_is_not_asked(
    reaching: Arena, platform: Platform, published: Person, pupil: Person
) -> None:
    """Scores go where webhooks may go."""
    enter(reaching, "ada-l")
    with reaching.transaction() as session:
        session.execute(update(LtiLink).values(lineitem="http://169.254.169.254/latest"))
    look(reaching)

    assert "169.254.169.254 is not a public address" in words(published.visit("/lti/courses/1"))
