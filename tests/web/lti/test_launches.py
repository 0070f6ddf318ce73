"""Launches from a platform: the way of an account, of a course, and of what is refused."""

import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from joserfc.jwk import RSAKey
from sqlalchemy import select, update

from arena.db.clock import now
from arena.db.models import AuditEntry, GroupMember, LtiLaunch, LtiPlatform, User, UserIdentity
from arena.services.base.context import Arena
from arena.services.lti import keys, launches
from arena.services.people.seals import seal
from tests.web.conftest import PASSWORD, Person, words
from tests.web.lti.platform import CLIENT, PUPIL, TEACHER, Platform
from web.lti.pages import COOKIE

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
FRAME = {"Sec-Fetch-Dest": "iframe"}


def test_teacher_links_the_course_and_learners_join_the_class(
    app: Flask, arena: Arena, platform: Platform, published: Person
) -> None:
    """A learner consents once, becomes a member under the platform's name, and is logged in by later launches."""
    page = words(published.visit("/groups/1"))
    assert "Courses Course Platform Computing 7b Our Moodle" in page

    pupil = Person(app)
    consent = words(platform.launch(pupil, PUPIL))
    assert "Our Moodle wants to sign you in as Ada Lovelace." in consent
    assert "You join the class Computing 7b; its teachers, and nobody else, see your name Ada Lovelace." in consent
    assert 'value="ada.l"' in platform.launch(pupil, PUPIL)
    assert "<h1>Assignments</h1>" in pupil.send("/lti/register", name="ada-l")

    again = Person(app)
    assert "<h1>Assignments</h1>" in platform.launch(again, PUPIL)
    assert "Logged in as ada-l" in words(again.visit("/me"))
    with arena.reading() as session:
        member = session.scalars(select(GroupMember)).one()
        assert member.real_name == "Ada Lovelace"
        assert session.scalars(select(User.email).where(User.id == member.user_id)).one() is None
        assert "linked a course" in session.scalars(select(AuditEntry.action)).all()
    assert "<h1>Computing 7b</h1>" in platform.launch(Person(app), TEACHER, teaches=True)


def test_teacher_changes_a_real_name_for_good(app: Flask, platform: Platform, published: Person) -> None:
    """A later launch does not undo it."""
    pupil = Person(app)
    platform.launch(pupil, PUPIL)
    pupil.send("/lti/register", name="ada-l")
    published.send("/groups/1/members/3", real_name="Ada King")
    platform.launch(pupil, PUPIL)

    assert "Ada King" in published.visit("/groups/1")


def test_learner_before_the_teacher_is_told_to_wait(app: Flask, arena: Arena, platform: Platform) -> None:
    """No account is made."""
    page = words(platform.launch(Person(app), PUPIL))

    assert "Not published yet" in page
    assert "The course Computing 7b of Our Moodle has no class here yet. Your teacher opens the activity first" in page
    with arena.reading() as session:
        assert session.scalars(select(UserIdentity)).all() == []


def test_teacher_who_is_no_organiser_is_told_whom_to_ask(app: Flask, platform: Platform) -> None:
    """A role at the platform gives none here."""
    person = Person(app)
    platform.launch(person, TEACHER, teaches=True)

    assert "ask an administrator of the arena" in words(person.send("/lti/register", name="grace"))
    assert person.client.post("/lti/publish", data={"group": 0}).status_code == 403


def test_learner_cannot_link_the_course(app: Flask, platform: Platform, promote: Callable[[Person], Person]) -> None:
    """An organiser who is a learner of the course is not its teacher."""
    person = promote(Person(app, "grace").register())
    platform.launch(person, PUPIL)

    assert "Only a teacher of the course links it" in words(person.send("/lti/publish", 400, group=0))


def test_course_is_linked_to_an_existing_class_and_unlinked(app: Flask, platform: Platform, teacher: Person) -> None:
    """Members stay when it is unlinked."""
    teacher.send("/groups/new", name="Class 4b")
    assert "<h1>Class 4b</h1>" in teacher.send("/lti/publish", group=1)
    pupil = Person(app)
    platform.launch(pupil, PUPIL)
    pupil.send("/lti/register", name="ada-l")

    page = words(teacher.send("/lti/courses/1/unlink"))

    assert "The course is unlinked." in page
    assert "Ada Lovelace" in page
    assert "Not published yet" in platform.launch(Person(app), PUPIL)


def test_owner_of_the_address_logs_in_to_link(app: Flask, arena: Arena, platform: Platform, published: Person) -> None:
    """Nobody takes over an account by claiming its e-mail address, nor gets a second one under it."""
    Person(app, "ada").register()
    with arena.transaction() as session:
        session.execute(update(User).where(User.name == "ada").values(email=PUPIL["email"]))
    pupil = Person(app)

    page = words(platform.launch(pupil, PUPIL))

    assert "An account has your e-mail address ada.l@school.example already. If it is yours, log in to link it." in page
    assert "Log in to it to link it" in words(pupil.send("/lti/register", 400, name="another"))
    offered = pupil.send("/login", name="ada", password=PASSWORD, next="/lti/enter")
    assert "You are logged in as ada." in words(offered)
    assert "<h1>Assignments</h1>" in pupil.send("/lti/connect")
    again = Person(app)
    platform.launch(again, PUPIL)
    assert "Logged in as ada" in words(again.visit("/me"))


def test_taken_name_is_refused_beside_the_field(app: Flask, platform: Platform, published: Person) -> None:
    """The person may choose another one."""
    pupil = Person(app)
    platform.launch(pupil, PUPIL)

    assert "The name grace is taken" in words(pupil.send("/lti/register", 400, name="grace"))


def test_member_disconnects_from_the_platform(app: Flask, platform: Platform, teacher: Person) -> None:
    """The account page names the platform; afterwards a launch asks for consent again."""
    assert "Our Moodle" in (page := teacher.visit("/account"))
    assert "/lti/disconnect/1" in page

    assert "signs you in no more" in words(teacher.send("/lti/disconnect/1"))
    assert "wants to sign you in as Grace Hopper" in words(platform.launch(Person(app), TEACHER, teaches=True))


def test_account_without_a_password_stays_connected(app: Flask, platform: Platform, published: Person) -> None:
    """Otherwise nobody could log in to it."""
    pupil = Person(app)
    platform.launch(pupil, PUPIL)
    pupil.send("/lti/register", name="ada-l")

    assert "/lti/disconnect/1" not in pupil.visit("/account")
    assert "Set a password first" in words(pupil.send("/lti/disconnect/1"))


def test_launch_in_a_frame_opens_a_window(visitor: Person, platform: Platform) -> None:
    """Browsers give no cookies to frames. The page is the only one that may be in one."""
    asked = {"iss": platform.url, "client_id": CLIENT, "login_hint": "7", "lti_message_hint": "a&b"}
    response = visitor.client.get("/lti/login", query_string=asked, headers=FRAME)

    assert response.status_code == 200
    assert 'target="_blank"' in response.text
    assert f"/lti/login?iss={platform.url.replace(':', '%3A')[:4]}" in response.text
    assert "lti_message_hint=a%26b" in response.text
    assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
    assert COOKIE not in response.headers.get("Set-Cookie", "")
    assert "frame-ancestors 'none'" in visitor.client.get("/login").headers["Content-Security-Policy"]


def encoded(part: dict[str, Any]) -> str:
    """Return a part of a token."""
    return urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


def forge(platform: Platform, claims: dict[str, Any], how: str) -> str:
    """Return a token that is not signed as it must be."""
    head = {"kid": platform.key.kid}
    if how == "unsigned":
        return f"{encoded({'alg': 'none'})}.{encoded(claims)}."
    if how == "public key as a secret":
        body = f"{encoded({'alg': 'HS256', **head})}.{encoded(claims)}"
        digest = hmac.digest(platform.key.as_pem(private=False), body.encode(), "sha256")
        return f"{body}.{urlsafe_b64encode(digest).decode().rstrip('=')}"
    if how == "cut":
        return platform.signed(claims)[:-20]
    if how == "nonsense":
        return "a.b.c"
    return platform.signed(claims, RSAKey.generate_key(2048, {"kid": platform.key.kid or ""}))


@pytest.mark.parametrize("how", ["unsigned", "public key as a secret", "cut", "nonsense", "another key"])
def test_wrong_signature_is_refused(visitor: Person, platform: Platform, how: str) -> None:
    """A sentence, and no launch."""
    asked = platform.log_in(visitor)
    token = forge(platform, platform.claims(PUPIL, asked["nonce"]), how)

    page = words(visitor.send("/lti/launch", 400, id_token=token, state=asked["state"]))

    assert "The platform's message is not valid" in page
    assert "This launch is over" in words(visitor.visit("/lti/enter", 400))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"exp": 1}, "it has expired"),
        ({"exp": None}, "a claim is missing"),
        ({"iat": time.time() + 3600}, "the claim iat is wrong"),
        ({"aud": "another-client"}, "the claim aud is wrong"),
        ({"aud": [CLIENT, "another-client"]}, "it is for another tool"),
        ({"aud": [CLIENT, "another-client"], "azp": "another-client"}, "it is for another tool"),
        ({"azp": "another-client"}, "it is for another tool"),
        ({"iss": "https://evil.example"}, "the claim iss is wrong"),
        ({"nonce": "stolen"}, "the claim nonce is wrong"),
        ({"sub": ""}, "not a launch from a course"),
        ({"sub": None}, "the claim sub is wrong"),
        ({f"{CLAIM}deployment_id": "2"}, "The deployment ID 2 is not registered for Our Moodle"),
        ({f"{CLAIM}message_type": "LtiSubmissionReviewRequest"}, "not a launch from a course"),
        ({f"{CLAIM}version": "1.1"}, "not a launch from a course"),
        ({f"{CLAIM}context": None}, "not a launch from a course"),
        ({f"{CLAIM}context": ["x"]}, "not a launch from a course"),
        ({f"{CLAIM}roles": 7}, "not a launch from a course"),
    ],
)
def test_wrong_claim_is_refused(visitor: Person, platform: Platform, wrong: dict[str, Any], says: str) -> None:
    """Each has its sentence."""
    asked = platform.log_in(visitor)
    token = platform.signed(platform.claims(PUPIL, asked["nonce"]) | wrong)

    assert says in words(visitor.send("/lti/launch", 400, id_token=token, state=asked["state"]))


def test_several_audiences_name_the_arena_as_their_party(visitor: Person, platform: Platform) -> None:
    """The claim azp decides for whom the message is."""
    page = platform.launch(visitor, PUPIL, aud=[CLIENT, "another-client"], azp=CLIENT)

    assert "Not published yet" in page


def test_message_is_valid_once(app: Flask, visitor: Person, platform: Platform) -> None:
    """The second time it is refused, in the same browser and in another one."""
    asked = platform.log_in(visitor)
    token = platform.signed(platform.claims(PUPIL, asked["nonce"]))
    visitor.send("/lti/launch", id_token=token, state=asked["state"])

    for person in (visitor, Person(app)):
        again = person.send("/lti/launch", 400, id_token=token, state=asked["state"])
        assert "This launch is over" in words(again)


def test_launch_logs_in_once(app: Flask, platform: Platform, published: Person) -> None:
    """After the person has logged out, the next one at the same computer does not get their account."""
    pupil = Person(app)
    platform.launch(pupil, PUPIL)
    pupil.send("/lti/register", name="ada-l")
    assert "ada-l" in pupil.visit("/lti/enter")
    pupil.send("/logout")

    assert "This launch is over" in words(pupil.visit("/lti/enter", 400))
    assert "ada-l" not in pupil.visit("/")


def test_message_of_another_browser_logs_nobody_in(app: Flask, platform: Platform, published: Person) -> None:
    """An attacker's own message, which a victim's browser sends, leads nowhere, though the victim has a launch."""
    attacker, victim = Person(app), Person(app)
    asked = platform.log_in(attacker)
    token = platform.signed(platform.claims(TEACHER, asked["nonce"], teaches=True))
    platform.log_in(victim)

    page = words(victim.send("/lti/launch", 400, id_token=token, state=asked["state"]))

    assert "did not begin in this browser" in page
    assert "<h1>Log in</h1>" in victim.visit("/me")


@pytest.mark.parametrize("state", ["", "forged", "gAAAAABforged"])
def test_forged_state_is_refused(visitor: Person, platform: Platform, state: str) -> None:
    """Only the arena seals states."""
    asked = platform.log_in(visitor)
    token = platform.signed(platform.claims(PUPIL, asked["nonce"]))

    assert "This launch is over" in words(visitor.send("/lti/launch", 400, id_token=token, state=state))


def test_late_message_is_refused(visitor: Person, arena: Arena, platform: Platform) -> None:
    """A login is valid for ten minutes."""
    begun = {"nonce": "n", "platform": 1, "frame": "", "at": time.time() - launches.PATIENCE - 1}
    token = platform.signed(platform.claims(PUPIL, "n"))
    state = seal(arena.settings, "lti", begun)["sealed"]

    assert "This launch is over" in words(visitor.send("/lti/launch", 400, id_token=token, state=state))


def test_launch_ends_after_an_hour(visitor: Person, arena: Arena, platform: Platform) -> None:
    """The platform's message is deleted."""
    platform.launch(visitor, PUPIL)
    with arena.transaction() as session:
        session.execute(update(LtiLaunch).values(at=now() - launches.KEPT))
        launches.forget(session)

    assert "This launch is over" in words(visitor.visit("/lti/enter", 400))


def test_refusal_of_the_platform_is_told(visitor: Person) -> None:
    """Its own words are not shown: anybody can put some into a form."""
    page = words(visitor.send("/lti/launch", 400, error="login_required", error_description="Call this number"))

    assert "The platform did not sign you in." in page
    assert "Call this number" not in page


def test_unknown_platform_is_refused(visitor: Person, platform: Platform) -> None:
    """The issuer and the client ID must be registered."""
    for asked in ({"iss": "https://evil.example"}, {"iss": platform.url, "client_id": "x"}, {}):
        response = visitor.client.get("/lti/login", query_string=asked)

        assert response.status_code == 400
        assert "This platform is not registered here" in words(response.text)


def test_login_leads_to_the_registered_address_only(visitor: Person, platform: Platform) -> None:
    """The address to which a login asks to go is ignored, in the login and in the message."""
    elsewhere = "https://evil.example/"
    asked = platform.log_in(visitor, target_link_uri=elsewhere, redirect_uri=elsewhere)
    claims = platform.claims(PUPIL, asked["nonce"]) | {f"{CLAIM}target_link_uri": elsewhere}
    sent = {"id_token": platform.signed(claims), "state": asked["state"]}
    response = visitor.client.post("/lti/launch", data=sent)

    assert urlsplit(response.location).netloc in ("", "localhost")
    assert urlsplit(response.location).path == "/lti/enter"


def test_silent_platform_is_named(visitor: Person, platform: Platform, reaching: Arena, arena: Arena) -> None:
    """If its keys cannot be fetched, or are none, the page says so."""
    for url, says in (
        ("http://127.0.0.1:9/keys", "127.0.0.1 does not answer"),
        (f"{platform.url}/none", "127.0.0.1 answered 404 to GET /none"),
        ("https://10.0.0.1/keys", "10.0.0.1 is not a public address"),
    ):
        with arena.transaction() as session:
            session.execute(update(LtiPlatform).values(jwks_url=url))

        assert says in words(platform.launch(visitor, PUPIL, status=400))


def test_keys_are_kept_and_fetched_again_for_a_new_one(
    app: Flask, platform: Platform, published: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A platform may change its keys at any time; messages with unknown keys do not make the arena ask all the time."""
    before = platform.keys_given
    for _ in range(2):
        platform.launch(Person(app), PUPIL)
    assert platform.keys_given == before

    monkeypatch.setattr(platform, "key", RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True))
    assert "its key is unknown" in words(platform.launch(Person(app), PUPIL, status=400))
    assert platform.keys_given == before
    monkeypatch.setattr(keys, "PAUSE", 0.0)
    platform.launch(Person(app), PUPIL)
    assert platform.keys_given == before + 1
    monkeypatch.setattr(keys, "KEPT", 0.0)
    platform.launch(Person(app), PUPIL)
    assert platform.keys_given == before + 2


def test_launch_needs_no_more_than_the_platform_tells(app: Flask, platform: Platform, published: Person) -> None:
    """A platform that shares neither names nor addresses signs people in all the same."""
    pupil = Person(app)

    assert "sign you in as a person without a name" in words(platform.launch(pupil, {"sub": "p-9"}))
    assert "<h1>Assignments</h1>" in pupil.send("/lti/register", name="nameless")
