"""Registering, logging in and out."""

import pytest

from arena.services.accounts import set_password
from arena.services.context import Arena
from tests.web.conftest import PASSWORD, Person, words


def test_who_registers_is_logged_in_and_shown_where_the_first_bot_goes(visitor: Person) -> None:
    """Registering ends on the upload page, with a welcome."""
    page = visitor.send("/register", name="grace", password=PASSWORD, repeat=PASSWORD)

    assert "Welcome, grace" in page
    assert "<h1>Upload a bot</h1>" in page


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"name": "<b>x</b>"}, "3 to 32 letters"),
        ({"name": "ab"}, "3 to 32 letters"),
        ({"password": "short", "repeat": "short"}, "10 to 200 characters"),
        ({"repeat": "something else"}, "The two passwords differ"),
        ({"name": ""}, "Choose a name."),
        ({"name": "admin"}, "taken"),
    ],
)
def test_a_refused_registration_says_why_and_keeps_the_name(
    visitor: Person, fields: dict[str, str], complaint: str
) -> None:
    """The page comes back with the complaint and with what was typed, escaped, but never with the password."""
    sent = {"name": "grace", "password": PASSWORD, "repeat": PASSWORD} | fields

    page = visitor.send("/register", 400, **sent)

    assert complaint in words(page)
    assert PASSWORD not in page
    assert "<b>x</b>" not in page
    if sent["name"] == "<b>x</b>":
        assert 'value="&lt;b&gt;x&lt;/b&gt;"' in page


def test_a_name_that_differs_by_case_alone_is_taken(ada: Person, visitor: Person) -> None:
    """Ada and ada would look like the same author."""
    page = visitor.send("/register", 400, name="Ada", password=PASSWORD, repeat=PASSWORD)

    assert "The name Ada is taken" in words(page)


def test_logging_in_leads_to_the_page_that_was_asked_for(ada: Person) -> None:
    """A visitor to a page for members logs in and lands there."""
    ada.send("/logout")

    asked = ada.visit("/bots/upload?example=1")
    landed = ada.client.post(
        "/login", data={"name": "ada", "password": PASSWORD, "next": "/bots/upload?example=1"}
    ).location

    assert "Log in first" in asked
    assert 'value="/bots/upload?example=1"' in asked
    assert landed == "/bots/upload?example=1"


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "/\\evil.example", "/\t/evil.example", ""]
)
def test_logging_in_never_leads_to_another_site(ada: Person, target: str) -> None:
    """Whatever a link says, the next page is one of this site."""
    ada.send("/logout")

    landed = ada.client.post("/login", data={"name": "ada", "password": PASSWORD, "next": target}).location

    assert landed == "/me"


def test_a_wrong_password_is_refused_without_telling_what_was_wrong(ada: Person, visitor: Person) -> None:
    """An unknown name and a wrong password read the same, and the name stays typed."""
    wrong = visitor.send("/login", 400, name="ada", password="not the password")
    unknown = visitor.send("/login", 400, name="nobody", password="not the password")

    assert "The name or the password is wrong." in wrong
    assert "The name or the password is wrong." in unknown
    assert 'value="ada"' in wrong


def test_who_logs_out_is_a_visitor_again(ada: Person) -> None:
    """The pages of members are closed after logging out."""
    page = ada.send("/logout")

    assert "You are logged out." in page
    assert "<h1>Log in</h1>" in ada.visit("/me")


def test_my_bots_starts_with_a_first_step(ada: Person) -> None:
    """Somebody without a bot is pointed to the fifteen lines."""
    page = ada.visit("/me")

    assert "You have no bot yet" in page
    assert 'href="/help"' in page


def test_an_account_that_is_gone_is_a_visitor(ada: Person) -> None:
    """A session that names no account is nobody's, and no error."""
    with ada.client.session_transaction() as session:
        session["account"] = 4711

    assert "Register" in ada.visit("/")


def test_a_new_password_ends_the_sessions_of_the_old_one(ada: Person, arena: Arena) -> None:
    """Whoever knew the lost password is out, too."""
    assert "My bots" in words(ada.visit("/me"))

    set_password(arena, "ada")

    assert "Log in first" in words(ada.visit("/me"))
