"""Pages while the database is of another release."""

import pytest

from arena.db import schema
from arena.services.base.context import Arena
from tests.db.test_schema import set_revision
from tests.web.conftest import Person
from web.serving import releases


@pytest.fixture(autouse=True)
def _every_request_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the schema before every request."""
    monkeypatch.setattr(releases, "PAUSE", 0.0)


@pytest.mark.parametrize("address", ["/", "/bots", "/leaderboard", "/account", "/tournaments/1/live"])
def test_pages_wait_for_the_end_of_an_upgrade(
    arena: Arena, ada: Person, caplog: pytest.LogCaptureFixture, address: str
) -> None:
    """Pages answer 503 with a sentence, the log says why, and they return as soon as the schema is right."""
    before = ada.client.get(address).status_code

    set_revision(arena.settings.database_url, "9999")
    refused = ada.client.get(address)
    set_revision(arena.settings.database_url, schema.newest())

    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "60"
    assert "The arena is being upgraded" in refused.text
    assert "is of a newer release" in caplog.text
    assert ada.client.get(address).status_code == before


def test_forms_are_not_lost_in_an_upgrade(arena: Arena, visitor: Person) -> None:
    """Nothing is stored, and the page shows what was typed."""
    set_revision(arena.settings.database_url, "9999")

    assert "a-long-name" in visitor.send("/register", 503, name="a-long-name", password="x" * 12, repeat="x" * 12)


def test_schema_is_read_once_a_second(visitor: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most requests cost no statement, and files none at all."""
    read: list[object] = []
    monkeypatch.setattr(releases, "PAUSE", 1.0)
    monkeypatch.setattr(schema, "check", read.append)
    monkeypatch.setattr(releases, "monotonic", iter([7.0, 7.0, 7.5, 8.1, 8.1]).__next__)

    visitor.visit("/static/site.css")
    for _ in range(3):
        visitor.visit("/games/")

    assert len(read) == 2
