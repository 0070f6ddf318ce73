"""Log-in with accounts of an OpenID Connect provider, which runs beside the tests."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import oidc_provider_mock
import pytest
import requests
from flask import Flask
from sqlalchemy import select

from arena.db.models import User, UserIdentity
from arena.services.base.context import Arena
from tests.web.conftest import PASSWORD, Person, words
from web.app import create_app

SITE = "http://localhost"


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    """Run a provider, and yield its issuer."""
    with oidc_provider_mock.run_server_in_thread() as server:
        yield f"http://localhost:{server.server_port}"


def connected(arena: Arena, issuer: str) -> Flask:
    """Return the app of an arena whose operator trusts the provider."""
    settings = replace(
        arena.settings, oidc_issuer=issuer, oidc_client="arena", oidc_secret="not checked", oidc_name="the university"
    )
    return create_app(replace(arena, settings=settings), {"WTF_CSRF_ENABLED": False})


@pytest.fixture
def app(arena: Arena, issuer: str) -> Flask:
    """The app of an arena whose operator trusts the provider."""
    return connected(arena, issuer)


def confirm(person: Person, subject: str, page: str = "/login/provider") -> str:
    """Let the provider confirm a person, and return the page that follows; an empty subject cancels."""
    asked = person.client.get(page).location
    answer = {"sub": subject} if subject else {"action": "deny"}
    confirmed = requests.post(asked, data=answer, allow_redirects=False, timeout=10).headers["Location"]
    return person.visit(confirmed.removeprefix(SITE))


def test_new_member_chooses_a_name(visitor: Person, arena: Arena) -> None:
    """New members need no password, and log in with the provider from then on."""
    page = confirm(visitor, "s-1")
    assert "the university has confirmed who you are" in words(page)
    assert "The name admin is taken" in words(visitor.send("/login/provider/name", 400, name="admin"))

    welcome = visitor.send("/login/provider/name", name="grace")

    assert "Welcome, grace" in welcome
    with arena.reading() as session:
        assert session.scalars(select(User.password).where(User.name == "grace")).one() is None
    visitor.send("/logout")
    assert "Logged in as grace" in words(confirm(visitor, "s-1", "/login/provider?next=/me"))


def test_new_member_continues_to_the_requested_page(visitor: Person) -> None:
    """Somebody who opened an invitation link comes back to it after registration."""
    confirm(visitor, "s-9", "/login/provider?next=/about")

    assert "Welcome, grace" in (page := visitor.send("/login/provider/name", name="grace"))
    assert "<title>About" in page


def test_name_is_asked_only_from_confirmed_people(visitor: Person, app: Flask) -> None:
    """Without the provider's confirmation, or long after it, the page leads to the log-in."""
    assert "<h1>Log in</h1>" in visitor.visit("/login/provider/name")
    with visitor.client.session_transaction() as session:
        session["provider_identity"] = ["https://somewhere", "s-2", "grace", 0.0]

    assert "<h1>Log in</h1>" in visitor.send("/login/provider/name", name="grace")


def test_taken_name_leaves_the_identity_free(ada: Person, visitor: Person) -> None:
    """The person may choose another one."""
    confirm(visitor, "s-3")

    assert "The name Ada is taken" in words(visitor.send("/login/provider/name", 400, name="Ada"))
    assert "Welcome, lin" in visitor.send("/login/provider/name", name="lin")


def test_answer_of_another_browser_is_refused(visitor: Person, app: Flask, issuer: str) -> None:
    """A link with an answer that somebody else obtained logs nobody in, and its words are not shown."""
    asked = Person(app).client.get("/login/provider").location
    stolen = requests.post(asked, data={"sub": "s-1"}, allow_redirects=False, timeout=10).headers["Location"]

    page = visitor.visit(stolen.removeprefix(SITE))
    told = visitor.visit("/login/provider/callback?error=x&error_description=Call+this+number")

    assert "failed or was cancelled" in words(page)
    assert "<h1>Log in</h1>" in page
    assert "Call this number" not in told


def test_answer_is_valid_once(visitor: Person) -> None:
    """A repeated answer confirms nobody."""
    asked = visitor.client.get("/login/provider").location
    answer = requests.post(asked, data={"sub": "s-4"}, allow_redirects=False, timeout=10).headers["Location"]
    visitor.visit(answer.removeprefix(SITE))

    assert "failed or was cancelled" in words(visitor.visit(answer.removeprefix(SITE)))


def test_request_is_bound_to_the_browser(visitor: Person) -> None:
    """The request has a state, a nonce, and the hash of a secret that only this browser's session holds (RFC 7636)."""
    sent = parse_qs(urlsplit(visitor.client.get("/login/provider").location).query)

    assert {"state", "nonce", "code_challenge"} <= sent.keys()
    assert sent["code_challenge_method"] == ["S256"]


def test_cancelled_log_in_leads_back(visitor: Person) -> None:
    """The page says what else can be done."""
    assert "Try again, or log in with a password" in words(confirm(visitor, ""))


def test_silent_provider_leads_back(arena: Arena) -> None:
    """A provider that does not answer costs a sentence, not a traceback."""
    visitor = Person(connected(arena, "http://localhost:9"))

    assert "failed or was cancelled" in words(visitor.visit("/login/provider"))


def test_log_in_page_offers_the_provider(visitor: Person, arena: Arena) -> None:
    """Nothing is offered, and nothing is there, if the operator has named no provider."""
    without = Person(create_app(arena))

    assert "Log in with the university" in words(visitor.visit("/login?next=/bots"))
    assert "/login/provider?next=/bots" in visitor.visit("/login?next=/bots")
    assert "Register with the university" in words(visitor.visit("/register"))
    assert "/login/provider" not in without.visit("/login")
    assert without.client.get("/login/provider").status_code == 404


def test_member_connects_and_disconnects(ada: Person, visitor: Person, arena: Arena) -> None:
    """An account may have a password and a login at the provider; the password stays valid."""
    assert "You can log in with the university from now on" in words(confirm(ada, "s-5"))
    assert "You can log in with the university from now on" in words(confirm(ada, "s-5"))
    assert "Logged in as ada" in words(confirm(visitor, "s-5", "/login/provider?next=/me"))

    assert "with your password from now on" in words(ada.send("/login/provider/disconnect"))
    with arena.reading() as session:
        assert session.scalars(select(UserIdentity)).all() == []
    ada.send("/logout")
    assert "Logged in as ada" in words(ada.send("/login", name="ada", password=PASSWORD, next="/me"))


def test_one_login_belongs_to_one_account(ada: Person, bob: Person) -> None:
    """Neither a second login for an account nor a second account for a login is possible."""
    confirm(ada, "s-6")

    assert "a login belongs to one account" in words(confirm(bob, "s-6"))
    assert "a login belongs to one account" in words(confirm(ada, "s-7"))


def test_only_login_cannot_be_disconnected(visitor: Person) -> None:
    """A member without a password would be locked out."""
    confirm(visitor, "s-8")
    visitor.send("/login/provider/name", name="mina")

    assert "Set a password first" in words(visitor.send("/login/provider/disconnect"))


@pytest.mark.parametrize(
    ("mails", "verified", "stored"), [(True, True, "eve@example.org"), (True, False, None), (False, True, None)]
)
def test_address_that_the_provider_verified_is_stored(
    arena: Arena, issuer: str, mails: bool, verified: bool, stored: str | None
) -> None:
    """An address that the provider has not verified is not, nor is any in an arena that sends no mail."""
    smtp = {"url": SITE, "smtp_url": "smtp://127.0.0.1:9", "mail_from": "arena@arena.example"} if mails else {}
    eve = Person(connected(replace(arena, settings=replace(arena.settings, **smtp)), issuer))  # type: ignore[arg-type]
    claimed = requests.put(
        f"{issuer}/users/eve", json={"email": "eve@example.org", "email_verified": verified}, timeout=10
    )
    claimed.raise_for_status()
    confirm(eve, "eve")
    eve.send("/login/provider/name", name="eve")

    with arena.reading() as session:
        assert session.scalars(select(User.email).where(User.name == "eve")).one() == stored
