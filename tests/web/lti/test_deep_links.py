"""A teacher chooses an assignment as an activity of a course."""

import html
import re
from typing import Any

import pytest
from flask import Flask
from joserfc import jwt
from joserfc.jwk import KeySet

from arena.services.assignments import actions as assignments
from arena.services.assignments.terms import Challenge, Terms
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import groups
from tests import factories
from tests.web.conftest import Person, words
from tests.web.lti.platform import CLIENT, PUPIL, SITE, TEACHER, Platform

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim/"
RETURN = "https://school.example/return?id=7"


def wish(**more: str) -> dict[str, Any]:
    """Return the claims of a wish to choose an activity."""
    settings = {"deep_link_return_url": RETURN, "accept_types": ["ltiResourceLink"], "data": "opaque", **more}
    kind = {f"{CLAIM}message_type": "LtiDeepLinkingRequest", f"{CLAIM}resource_link": None}
    return {**kind, f"{DEEP}deep_linking_settings": settings}


@pytest.fixture
def course(reaching: Arena, published: Person, admin: Account) -> Person:
    """The teacher of a class with one assignment, beside another class with another one."""
    reference = factories.bot(reaching, admin, "Reference")
    other = groups.create(reaching, admin, "Other")
    for group, name in ((1, "Beat it"), (other, "Not theirs")):
        assignments.create(reaching, admin, Challenge("suitability-2", reference, group), Terms(name, 0.0, 4e9))
    return published


def read(app: Flask, page: str) -> dict[str, Any]:
    """Return the claims of the answer on a page, signed by the arena."""
    found = re.search(r'name="JWT" value="([^"]+)"', page)
    assert found
    keys = KeySet.import_key_set(Person(app).client.get("/lti/keys").get_json())
    return jwt.decode(html.unescape(found[1]), keys, algorithms=["RS256"]).claims


def test_assignment_becomes_an_activity_with_a_column_of_grades(app: Flask, platform: Platform, course: Person) -> None:
    """The answer names it, repeats what the platform sent along, and goes to the platform's address only."""
    page = platform.launch(course, TEACHER, teaches=True, **wish())
    assert "Beat it" in page
    assert "Not theirs" not in page

    response = course.client.post("/lti/choose", data={"assignment": 1})

    assert f'action="{RETURN}"' in response.text
    assert "form-action https://school.example;" in response.headers["Content-Security-Policy"]
    claims = read(app, response.text)
    assert (claims["iss"], claims["aud"]) == (CLIENT, platform.url)
    assert claims[f"{CLAIM}message_type"] == "LtiDeepLinkingResponse"
    assert claims[f"{CLAIM}deployment_id"] == "1"
    assert claims[f"{DEEP}data"] == "opaque"
    assert claims[f"{DEEP}content_items"] == [{
        "type": "ltiResourceLink", "title": "Beat it", "url": f"{SITE}/lti/launch", "custom": {"assignment": "1"},
        "lineItem": {"scoreMaximum": 5.0, "label": "Beat it", "resourceId": "1"},
    }]  # fmt: skip


def test_choice_in_a_window_is_answered_from_the_frame(app: Flask, platform: Platform, course: Person) -> None:
    """The frame has no cookies, but the secret of its window."""
    frame = Person(app).client
    asked = {"iss": platform.url, "login_hint": "7"}
    shown = frame.get("/lti/login", query_string=asked, headers={"Sec-Fetch-Dest": "iframe"}).text
    secret = re.search(r"/lti/chosen\?frame=([\w-]+)", shown)
    assert secret
    continues = f"/lti/chosen?frame={secret[1]}"
    assert "Nothing is chosen yet." in words(frame.get(continues).text)

    begun = platform.log_in(course, frame=secret[1])
    token = platform.signed(platform.claims(TEACHER, begun["nonce"], teaches=True) | wish())
    course.send("/lti/launch", id_token=token, state=begun["state"])
    assert "press continue here" in words(course.send("/lti/choose", assignment=1))

    response = frame.get(continues)
    assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
    assert read(app, response.text)[f"{DEEP}content_items"][0]["title"] == "Beat it"
    assert frame.get("/lti/chosen?frame=").status_code == 400


def test_assignments_of_other_classes_cannot_be_chosen(platform: Platform, course: Person) -> None:
    """The form is refused."""
    platform.launch(course, TEACHER, teaches=True, **wish())

    assert "Not a valid choice" in words(course.send("/lti/choose", 400, assignment=2))


def test_only_a_teacher_who_adds_an_activity_chooses(app: Flask, platform: Platform, course: Person) -> None:
    """A launch of an activity answers nothing, nor does a learner's wish."""
    platform.launch(course, TEACHER, teaches=True)
    assert "Only a teacher of the course" in words(course.send("/lti/choose", 400, assignment=1))

    pupil = Person(app)
    platform.launch(pupil, PUPIL, **wish())
    pupil.send("/lti/register", name="ada-l")
    assert pupil.client.post("/lti/choose", data={"assignment": 1}).status_code == 403


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "https://a;script-src/", "https://10.0.0.1/", "https://a.example/ x", ""]
)
def test_bad_return_address_is_refused(platform: Platform, course: Person, address: str) -> None:
    """No form leads there."""
    platform.launch(course, TEACHER, teaches=True, **wish(deep_link_return_url=address))

    assert f'action="{address}"' not in course.send("/lti/choose", 400, assignment=1)


def test_message_that_says_nothing_is_refused(visitor: Person, platform: Platform) -> None:
    """A launch has an activity, and a wish has settings."""
    for wrong in ({f"{CLAIM}resource_link": None}, {f"{CLAIM}message_type": "LtiDeepLinkingRequest"}):
        assert "nothing says what to do" in words(platform.launch(visitor, PUPIL, status=400, **wrong))
