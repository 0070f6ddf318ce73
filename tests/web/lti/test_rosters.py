"""The people of a course, as the platform lists them."""

from typing import Any

import pytest
from flask import Flask

from tests.web.conftest import Person, words
from tests.web.lti.platform import LEARNER, PUPIL, TEACHER, Platform

ADA = {"user_id": "p-1", "roles": [LEARNER], "name": "Ada Lovelace", "status": "Active"}
ALAN = {"user_id": "p-2", "roles": ["Learner"], "name": "Alan Turing"}
GRACE = {"user_id": "t-1", "roles": ["Instructor"], "name": "Grace Hopper", "status": "Active"}
GONE = {"user_id": "p-3", "roles": ["Learner"], "name": "Gone", "status": "Inactive"}
MEMBERS = "/lti/courses/1/members"


@pytest.fixture
def course(app: Flask, platform: Platform, published: Person) -> Person:
    """The teacher, whose launch told where the list of members is."""
    platform.people, platform.elsewhere = [ADA, ALAN, GONE, GRACE], ""
    pupil = Person(app)
    platform.launch(pupil, PUPIL)
    pupil.send("/lti/register", name="ada-l")
    platform.launch(published, TEACHER, teaches=True, **platform.roster())
    return published


def test_members_are_listed_with_their_accounts(course: Person) -> None:
    """All pages are read, and people who have left the course are left out."""
    page = words(course.send(MEMBERS))

    assert "Grace Hopper Teacher grace No Ada Lovelace Learner ada-l Yes Alan Turing Learner None yet No" in page
    assert "Gone" not in page


def test_list_is_offered_by_a_teacher(app: Flask, platform: Platform, published: Person) -> None:
    """Before a launch that tells where it is, the page says what to do."""
    assert "has offered no list of members" in words(published.send(MEMBERS, 400))


def test_token_is_sent_to_no_other_site(course: Person, platform: Platform) -> None:
    """A list that goes on elsewhere is refused."""
    platform.elsewhere = "https://evil.example"

    assert "goes on at another site" in words(course.send(MEMBERS, 400))


@pytest.mark.parametrize("wrong", [{"name": "x"}, {"user_id": 7}, "x", None])
def test_malformed_list_is_refused(course: Person, platform: Platform, wrong: Any) -> None:
    """A sentence says what is wrong."""
    platform.people = [wrong]

    assert "The platform's list of members is malformed" in words(course.send(MEMBERS, 400))


def test_endless_list_is_refused(course: Person, platform: Platform) -> None:
    """The arena reads no more than forty pages."""
    platform.people = [ADA] * 41

    assert "The list has more than 40 pages." in words(course.send(MEMBERS, 400))
