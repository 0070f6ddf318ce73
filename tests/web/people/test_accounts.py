"""Registration, log-in and log-out."""

import re
from dataclasses import replace

import pytest
from flask import Flask

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people.accounts import reset_password
from tests.web.conftest import PASSWORD, Person, make_admin, words
from web.app import create_app
from web.people.groups import in_two_weeks


def test_registration_leads_to_the_upload_page(visitor: Person) -> None:
    """A new member is logged in and welcomed."""
    page = visitor.send("/register", name="grace", password=PASSWORD, repeat=PASSWORD)

    assert "Welcome, grace" in page
    assert "<h1>Upload a bot</h1>" in page


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"name": "<b>x</b>"}, "3 to 32 letters"),
        ({"name": "ab"}, "3 to 32 letters"),
        ({"password": "short", "repeat": "short"}, "12 to 200 characters"),
        ({"repeat": "something else"}, "The passwords do not match"),
        ({"name": ""}, "Choose a name."),
        ({"name": "admin"}, "taken"),
    ],
)
def test_refused_registration_shows_the_reason(visitor: Person, fields: dict[str, str], complaint: str) -> None:
    """The form keeps the name, escaped, but not the password."""
    sent = {"name": "grace", "password": PASSWORD, "repeat": PASSWORD} | fields

    page = visitor.send("/register", 400, **sent)

    assert complaint in words(page)
    assert PASSWORD not in page
    assert "<b>x</b>" not in page
    if sent["name"] == "<b>x</b>":
        assert 'value="&lt;b&gt;x&lt;/b&gt;"' in page


def test_visitor_of_a_demo_becomes_an_organiser(arena: Arena) -> None:
    """One click is enough, every page says that the data will be deleted, and two visitors get two accounts."""
    app = create_app(replace(arena, settings=replace(arena.settings, demo=True)), {"WTF_CSRF_ENABLED": False})
    visitors = [Person(app), Person(app)]

    assert "Try everything" in visitors[0].visit("/register")
    pages = [each.send("/demo") for each in visitors]

    assert all("an organiser of this demo" in page and "deleted at" in page for page in pages)
    assert len({re.search(r"You are (guest-\w+)", page)[1] for page in pages}) == 2  # type: ignore[index]
    assert "<h1>Groups</h1>" in visitors[0].visit("/groups/")


def test_only_a_demo_makes_organisers(visitor: Person) -> None:
    """Elsewhere the page says nothing about it, and the request creates no account."""
    assert "Try everything" not in visitor.visit("/register")
    visitor.send("/demo", 404)


def test_names_are_unique_regardless_of_case(ada: Person, visitor: Person) -> None:
    """Names that differ only by case would look like the same author."""
    page = visitor.send("/register", 400, name="Ada", password=PASSWORD, repeat=PASSWORD)

    assert "The name Ada is taken" in words(page)


def test_log_in_continues_to_the_requested_page(ada: Person) -> None:
    """A visitor to a members' page lands there after logging in."""
    ada.send("/logout")

    asked = ada.visit("/bots/upload?example=1")
    landed = ada.client.post(
        "/login", data={"name": "ada", "password": PASSWORD, "next": "/bots/upload?example=1"}
    ).location

    assert "Log in to continue" in asked
    assert 'value="/bots/upload?example=1"' in asked
    assert landed == "/bots/upload?example=1"


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "/\\evil.example", "/\t/evil.example", ""]
)
def test_log_in_never_redirects_to_another_site(ada: Person, target: str) -> None:
    """Targets outside this site are replaced by the member's page."""
    ada.send("/logout")

    landed = ada.client.post("/login", data={"name": "ada", "password": PASSWORD, "next": target}).location

    assert landed == "/me"


def test_log_in_does_not_reveal_whether_a_name_exists(ada: Person, visitor: Person) -> None:
    """Unknown names and wrong passwords get the same message, and the form keeps the name."""
    wrong = visitor.send("/login", 400, name="ada", password="not the password")
    unknown = visitor.send("/login", 400, name="nobody", password="not the password")

    assert "The name or the password is wrong." in wrong
    assert "The name or the password is wrong." in unknown
    assert 'value="ada"' in wrong


def test_log_out_ends_the_session(ada: Person) -> None:
    """After logging out, members' pages require a log-in."""
    page = ada.send("/logout")

    assert "You are logged out." in page
    assert "<h1>Log in</h1>" in ada.visit("/me")


def test_empty_list_of_my_bots_links_to_the_guide(ada: Person) -> None:
    """A member without bots is pointed to the guide."""
    page = ada.visit("/me")

    assert "You have no bots yet" in page
    assert 'href="/help"' in page


def test_unknown_token_is_a_visitor(visitor: Person) -> None:
    """A cookie may name a session that has ended, or hold anything."""
    for token in ("4711", "x" * 4000, "\N{BLACK SPADE SUIT}", ""):
        visitor.client.set_cookie("arena_session", token)

        assert "Register" in visitor.visit("/")


def test_new_password_ends_existing_sessions(ada: Person, arena: Arena) -> None:
    """Sessions opened with the old password are logged out."""
    assert "My bots" in words(ada.visit("/me"))

    reset_password(arena, Account(1, "ada", is_admin=True), "ada")

    assert "Log in to continue" in words(ada.visit("/me"))


def test_registration_that_is_sent_again_logs_in(app: Flask, arena: Arena) -> None:
    """A double click makes one account and uses an invitation once; somebody else's form with the name is refused."""
    olga = make_admin(arena, Person(app, "olga").register())
    page = olga.send("/invitations/new", group="0", uses="1", until=in_two_weeks())
    invitation = re.findall(r"/join/([\w-]+)", page)[0]
    form = {"name": "ada", "password": PASSWORD, "repeat": PASSWORD, "invitation": invitation, "csrf_token": "mine"}

    for browser in (Person(app), Person(app)):
        assert "Welcome, ada" in browser.send("/register", **form)
        assert "Logged in as ada" in words(browser.visit("/me"))

    assert "already used" in words(Person(app).send("/register", 400, **{**form, "csrf_token": "other"}))
    form["invitation"] = ""
    assert "The name ada is taken" in words(Person(app).send("/register", 400, **{**form, "csrf_token": "other"}))
