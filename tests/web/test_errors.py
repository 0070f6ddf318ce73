"""Error pages in the site's style, and errors as JSON."""

import logging

import pytest
from flask import Flask

from arena.games.errors import ArenaFault
from arena.services import home
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
def test_what_is_not_there_has_a_page_with_a_way_on(visitor: Person, address: str) -> None:
    """A wrong address leads to a page of the site and from there home."""
    page = visitor.visit(address, 404)

    assert "There is nothing here" in page
    assert "Go to the home page" in page


@pytest.mark.parametrize("address", ["/matches/99/record.json", "/matches/99/replay.json", "/tournaments/99/seed.json"])
def test_a_program_gets_its_error_as_json(visitor: Person, address: str) -> None:
    """Where JSON was asked for, the error is JSON and says what was not found."""
    response = visitor.client.get(address)

    assert response.status_code == 404
    assert "99" in response.get_json()["detail"]


def test_a_form_address_that_is_visited_explains_itself(ada: Person) -> None:
    """The address of a button is not a page."""
    assert "takes a form" in ada.visit("/logout", 405)


@pytest.mark.parametrize(("error", "status"), [(RuntimeError("the secret"), 500), (ArenaFault("the secret"), 503)])
def test_what_breaks_is_logged_and_not_shown(
    app: Flask,
    visitor: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    status: int,
) -> None:
    """The page apologises; the traceback is in the log alone."""

    def broken(_: object) -> None:
        raise error

    monkeypatch.setattr(home, "home", broken)
    with caplog.at_level(logging.ERROR):
        page = visitor.visit("/", status)

    assert "the secret" not in page
    assert "<h1>" in page
    assert "the secret" in caplog.text
