"""Error pages in the site's style, and errors as JSON."""

import logging
from typing import Final

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError, ProgrammingError

from arena.games.errors import ArenaFault
from arena.services.numbers import home
from tests.web.conftest import Person


@pytest.mark.parametrize(
    "address",
    [
        "/nothing",
        "/bots/99",
        "/matches/99",
        "/tournaments/99",
        "/tournaments/99/live",
        "/tournaments/99/tables",
        f"/bots/{2**63}",
        "/rules/chess",
    ],
)
def test_unknown_address_has_an_error_page(visitor: Person, address: str) -> None:
    """The error page is in the site's style and links to the front page."""
    page = visitor.visit(address, 404)

    assert "Page not found" in page
    assert "Go to the home page" in page


@pytest.mark.parametrize("address", ["/matches/99/record.json", "/matches/99/replay.json", "/tournaments/99/seed.json"])
def test_json_addresses_return_json_errors(visitor: Person, address: str) -> None:
    """The JSON error names the missing id."""
    response = visitor.client.get(address)

    assert response.status_code == 404
    assert "99" in response.get_json()["detail"]


def test_visiting_a_form_address_is_explained(ada: Person) -> None:
    """The address of a button is answered with 405 and an explanation."""
    page = ada.visit("/logout", 405)

    assert "only accepts a form" in page
    assert "Go to the home page" in page
    assert "Try again" not in page


@pytest.mark.parametrize(("error", "status"), [(RuntimeError("the secret"), 500), (ArenaFault("the secret"), 503)])
def test_internal_errors_are_logged_and_not_shown(
    app: Flask,
    visitor: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    status: int,
) -> None:
    """The traceback is in the log, and the page, which offers another try, does not contain it."""

    def broken(_: object) -> None:
        raise error

    monkeypatch.setattr(home, "home", broken)
    with caplog.at_level(logging.ERROR):
        page = visitor.visit("/", status)

    assert "the secret" not in page
    assert "<h1>" in page
    assert "Try again" in page
    assert "the secret" in caplog.text


FULL: Final = OperationalError("SELECT secret", {}, Exception("disk I/O error"))
WRONG: Final = ProgrammingError("SELECT secret", {}, Exception("no such column"))


@pytest.mark.parametrize(("error", "status"), [(FULL, 503), (WRONG, 500)])
def test_database_errors_are_not_shown(
    ada: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, status: int
) -> None:
    """Members get an error page as well, although their notices cannot be counted, and the log has one entry."""

    def broken(_: object) -> None:
        raise error

    monkeypatch.setattr(home, "home", broken)

    page = ada.visit("/", status)

    assert "secret" not in page
    assert "Log in" in page
    [record] = caplog.records
    assert record.getMessage() == "GET / failed"
