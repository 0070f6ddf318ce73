"""Error pages in the site's style, and errors as JSON."""

import logging
import re
from dataclasses import replace
from typing import Final

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError, ProgrammingError

from arena.games.errors import ArenaFault
from arena.services.base.context import Arena
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
    assert "only accepts a form" in ada.visit("/logout", 405)


@pytest.mark.parametrize(("error", "status"), [(RuntimeError("the secret"), 500), (ArenaFault("the secret"), 503)])
def test_internal_errors_are_logged_and_not_shown(
    app: Flask,
    visitor: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    status: int,
) -> None:
    """The traceback is in the log, and the page does not contain it."""

    def broken(_: object) -> None:
        raise error

    monkeypatch.setattr(home, "home", broken)
    with caplog.at_level(logging.ERROR):
        page = visitor.visit("/", status)

    assert "the secret" not in page
    assert "<h1>" in page
    assert "the secret" in caplog.text


FULL: Final = OperationalError("SELECT secret", {}, Exception("disk I/O error\non page 7"))
WRONG: Final = ProgrammingError("SELECT secret", {}, Exception("no such column"))


def break_home(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Make the front page fail."""

    def broken(_: object) -> None:
        raise error

    monkeypatch.setattr(home, "home", broken)


@pytest.mark.parametrize(("error", "status"), [(FULL, 503), (WRONG, 500)])
def test_database_errors_are_one_line_and_a_reference(
    ada: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, status: int
) -> None:
    """The page shows the reference of the line in the log, neither shows the statement, and members see no queries."""
    break_home(monkeypatch, error)

    page = ada.visit("/", status)

    [record] = caplog.records
    [reference] = re.findall(r"Reference for the operator: <code>(\w{8})</code>", page)
    assert f"GET / failed (reference {reference}): {type(error).__name__}: " in record.getMessage()
    assert "\n" not in record.getMessage()
    assert record.exc_info is None
    assert "secret" not in record.getMessage() + page


def test_debug_level_logs_tracebacks_of_database_errors(
    app: Flask, arena: Arena, visitor: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The operator can ask for all details."""
    app.extensions["arena"] = replace(arena, settings=replace(arena.settings, log_level="debug"))
    break_home(monkeypatch, FULL)

    visitor.visit("/", 503)

    assert "Traceback" in caplog.text
