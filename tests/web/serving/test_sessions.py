"""Sessions in the browser: cookies, and what is left of them after log-out."""

from itertools import product

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from arena.db.models import UserSession
from arena.services.base.context import Arena
from tests.web.conftest import PASSWORD, Person, words
from tests.web.serving.test_security import token
from web.app import create_app

COOKIE = "arena_session"


def token_of(person: Person) -> str:
    """Return the token in a person's browser."""
    cookie = person.client.get_cookie(COOKIE)
    assert cookie
    return cookie.value


def rows(arena: Arena) -> int:
    """Return the number of stored sessions."""
    with arena.reading() as session:
        return session.scalars(select(func.count()).select_from(UserSession)).one()


@pytest.fixture
def thief(app: Flask, ada: Person) -> Person:
    """A person with a copy of ada's cookies."""
    made = Person(app)
    for name in (COOKIE, "arena_visit"):
        if cookie := ada.client.get_cookie(name):
            made.client.set_cookie(name, cookie.value)
    return made


def test_copied_cookie_is_worthless_after_log_out(ada: Person, thief: Person) -> None:
    """Log-out ends the session in the database, not only in one browser."""
    assert "My bots" in words(thief.visit("/me"))

    ada.send("/logout")

    assert "Log in to continue" in words(thief.visit("/me"))


def test_poll_in_flight_does_not_bring_the_session_back(ada: Person) -> None:
    """A poll that began before log-out and is answered after it leaves the browser logged out."""
    before = token_of(ada)
    ada.send("/logout")

    ada.client.set_cookie(COOKIE, before)
    answer = ada.client.get("/", headers={"HX-Request": "true"})

    assert COOKIE not in answer.headers.get("Set-Cookie", "")
    assert "Log in to continue" in words(ada.visit("/me"))


def test_answers_set_no_cookie_when_nothing_changed(arena: Arena) -> None:
    """Neither pages nor files set cookies again, and visitors have none until they open a form."""
    app = create_app(arena)
    visitor, ada = Person(app), Person(app)
    first = token(ada.visit("/register"))
    ada.send("/register", csrf_token=first, name="ada", password=PASSWORD, repeat=PASSWORD)

    for person, address in product((ada, visitor), ("/", "/bots", "/static/site.css", "/nothing")):
        assert "Set-Cookie" not in person.client.get(address).headers, address
    assert "arena_visit=" in visitor.client.get("/login").headers["Set-Cookie"]


def test_visitors_have_no_row(visitor: Person, arena: Arena) -> None:
    """Forms and refused log-ins of visitors store no session."""
    visitor.visit("/register")
    visitor.send("/login", 400, name="ada", password="not the password")

    assert rows(arena) == 0


def test_log_in_changes_the_token(ada: Person, app: Flask, arena: Arena) -> None:
    """A token or visitor's cookie that somebody planted in the browser is not the one of the session after log-in."""
    planted, visits = token_of(ada), ada.client.get_cookie("arena_visit")
    victim = Person(app, "victim")
    victim.client.set_cookie(COOKIE, planted)
    if visits:
        victim.client.set_cookie("arena_visit", visits.value)

    victim.register()

    assert token_of(victim) != planted
    assert "Log in to continue" in words(ada.visit("/me")), "the planted session ends"
    assert rows(arena) == 1


def test_log_in_changes_the_token_of_forms(arena: Arena) -> None:
    """A form's token from before log-in, which somebody else may know, is worthless after it."""
    grace = Person(create_app(arena))
    old = token(grace.visit("/register"))
    grace.send("/register", csrf_token=old, name="grace", password=PASSWORD, repeat=PASSWORD)

    assert "This form has expired" in grace.send("/logout", 400, csrf_token=old)


def test_encrypted_cookie_belongs_to_this_host(app: Flask, ada: Person) -> None:
    """Over TLS, cookies have names that no other host and no unencrypted page can set; plain ones do not count."""
    form = {"name": "ada", "password": PASSWORD}
    client = app.test_client()

    cookies = client.post("/login", data=form, base_url="https://localhost").headers.getlist("Set-Cookie")
    [cookie] = [cookie for cookie in cookies if COOKIE in cookie]

    assert cookie.startswith("__Host-arena_session=")
    for attribute in ("Secure", "HttpOnly", "Path=/", "SameSite=Lax"):
        assert f"; {attribute}" in cookie
    assert "Domain" not in cookie
    client.set_cookie(COOKIE, token_of(ada))
    client.delete_cookie("__Host-arena_session")
    assert "/login" in client.get("/me", base_url="https://localhost").location


def test_log_out_deletes_the_cookie(ada: Person) -> None:
    """Nothing is left in the browser."""
    ada.send("/logout")

    assert ada.client.get_cookie(COOKIE) is None


def test_session_ends_after_a_week_without_use(ada: Person, arena: Arena) -> None:
    """The member logs in and continues to the page."""
    with arena.transaction() as session:
        session.execute(update(UserSession).values(ends=UserSession.ends - 8 * 24 * 3600))

    assert "Log in to continue" in words(ada.visit("/me"))
