"""Access tokens on the account page, and programs that log in with a code."""

import re

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from arena.db.models import Repeat
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import accounts, device_logins, keys
from tests.web.conftest import Person, words
from web.people.device_api import GRANT


@pytest.fixture
def account(arena: Arena, ada: Person) -> Account:
    """Ada's account."""
    found = accounts.account(arena, accounts.id_of(arena, ada.name))
    assert found
    return found


def made(page: str) -> str:
    """Return the token that a page shows."""
    [token] = re.findall(r"<code>(suit_\w+)</code>", page)
    return str(token)


def ask(app: Flask, **fields: str) -> TestResponse:
    """Ask for a token as a program does."""
    return app.test_client().post("/api/v1/device", data={"client_id": "arena on a laptop", **fields})


def claim(app: Flask, device: str, grant: str = GRANT) -> TestResponse:
    """Ask for the token of a code as a program does."""
    return app.test_client().post("/api/v1/device/token", data={"device_code": device, "grant_type": grant})


def test_token_is_shown_once(arena: Arena, ada: Person, account: Account) -> None:
    """Its page shows it, no cache keeps it, and the account page lists it without it."""
    assert "You have no access tokens." in words(ada.visit("/account"))
    fields = {"name": "CI", "scopes": ["read", "upload"], "days": "30"}
    response = ada.client.post("/account/tokens/new", data=fields)
    token = made(response.text)

    key = keys.find(arena, token)
    assert key
    assert (key.account, sorted(key.scopes)) == (account, ["read", "upload"])
    assert response.headers["Cache-Control"] == "no-store"
    page = ada.visit("/account")
    assert token not in page
    assert "CI read, upload" in words(page)


def test_form_that_is_sent_again_shows_the_same_token(arena: Arena, ada: Person, account: Account) -> None:
    """A double click or a reload makes no second token; a new form does."""
    fields = {"name": "CI", "scopes": ["read"], "days": "30"}
    tokens = [
        made(ada.client.post("/account/tokens/new", data={**fields, "csrf_token": form}).text)
        for form in ("one", "one", "two")
    ]

    assert tokens[0] == tokens[1] != tokens[2]
    assert len(keys.listed(arena, account)) == 2
    with arena.reading() as session:
        assert tokens[0] not in str([row.answer for row in session.scalars(select(Repeat))])


def test_form_offers_what_the_account_may(ada: Person) -> None:
    """A member cannot choose the scopes of organisers, and mistakes lose nothing that was typed."""
    page = ada.visit("/account/tokens/new")
    assert re.findall(r'name="scopes" type="checkbox" value="(\w+)"', page) == ["read", "upload"]

    page = ada.send("/account/tokens/new", 400, name="CI", scopes="administer", days="30")
    assert "administer" in words(page)
    assert 'value="CI"' in page
    assert "must be one line" in words(ada.send("/account/tokens/new", 400, name="a\tb", scopes="read", days="7"))


def test_token_is_revoked(arena: Arena, ada: Person, bob: Person) -> None:
    """A press of a button ends it, and only its owner has the button."""
    token = made(ada.send("/account/tokens/new", name="CI", scopes="read", days="30"))
    [address] = re.findall(r'action="(/account/tokens/\d+/revoke)"', ada.visit("/account"))

    bob.send(address, 404)
    assert keys.find(arena, token)
    assert "The token is revoked." in words(ada.send(address))
    assert keys.find(arena, token) is None


def test_program_logs_in_with_a_code(arena: Arena, app: Flask, ada: Person, account: Account) -> None:
    """The member sees who asks for what and confirms, and the program gets its token, once."""
    answer = ask(app)
    codes = answer.get_json()
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert codes["verification_uri_complete"] == f"http://localhost/device?code={codes['user_code']}"
    assert (codes["expires_in"], codes["interval"]) == (600, 5)
    assert claim(app, codes["device_code"]).get_json()["error"] == "authorization_pending"

    page = words(ada.visit(f"/device?code={codes['user_code'].lower()}"))
    assert codes["user_code"] in page
    assert "arena on a laptop" in page
    assert "Upload and manage your bots" in page
    assert "You can close this page." in words(ada.send("/device/confirm", code=codes["user_code"]))

    granted = claim(app, codes["device_code"])
    fields = granted.get_json()
    key = keys.find(arena, fields["access_token"])
    assert key
    assert key.account == account
    assert (fields["token_type"], fields["scope"], fields["account"]) == ("Bearer", "read upload", "ada")
    assert granted.headers["Cache-Control"] == "no-store"
    assert claim(app, codes["device_code"]).get_json()["error"] == "expired_token"


def test_program_is_refused(app: Flask, ada: Person) -> None:
    """A refused program gets the reason, and the member sees that it got nothing."""
    codes = ask(app, scope="read organise").get_json()
    assert "It also asks for organise" in words(ada.visit(f"/device?code={codes['user_code']}"))

    assert "It gets no token." in words(ada.send("/device/refuse", code=codes["user_code"]))

    assert claim(app, codes["device_code"]).get_json()["error"] == "access_denied"


def test_wrong_codes_are_named(ada: Person) -> None:
    """A code that does not exist can be corrected, and guessing is slowed down."""
    assert 'value="BCDF-GHJK"' in ada.visit("/device?code=BCDF-GHJK", 404)
    assert "There is no such code" in words(ada.send("/device/confirm", 404, code="BCDF-GHJK"))
    assert "Enter the code" in words(ada.visit("/device"))
    for _ in range(8):
        ada.visit("/device?code=BCDF-GHJL", 404)

    ada.visit("/device?code=BCDF-GHJM", 429)


def test_visitor_logs_in_first(visitor: Person, ada: Person) -> None:
    """The code is kept in the address that follows the log-in."""
    response = visitor.client.get("/device?code=BCDF-GHJK")

    assert response.status_code == 302
    assert "code%3DBCDF-GHJK" in response.headers["Location"]


def test_program_revokes_its_token(arena: Arena, app: Flask, account: Account) -> None:
    """The answer does not say whether there was one."""
    token = keys.make(arena, account, "CI", ["read"])

    for _ in range(2):
        assert app.test_client().post("/api/v1/device/revoke", data={"token": token}).status_code == 200

    assert keys.find(arena, token) is None


def test_malformed_requests_of_programs_are_explained(app: Flask, arena: Arena, ada: Person, account: Account) -> None:
    """Each has an error of OAuth and a sentence."""
    wrong = ask(app, client_id="a\nb")
    assert (wrong.status_code, wrong.get_json()["error"]) == (400, "invalid_request")
    assert "The name of the program must be one line" in wrong.get_json()["error_description"]
    assert "There is no scope 'rule'" in ask(app, scope="rule").get_json()["error_description"]
    assert claim(app, "made up", "password").get_json()["error"] == "unsupported_grant_type"
    codes = device_logins.ask(arena, "arena", ["read"])
    device_logins.confirm(arena, account, codes.user)
    for number in range(keys.MOST):
        keys.make(arena, account, f"token {number}", ["read"])
    full = claim(app, codes.device).get_json()
    assert (full["error"], "as many as an account may have" in full["error_description"]) == ("access_denied", True)
