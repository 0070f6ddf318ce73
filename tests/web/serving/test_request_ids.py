"""IDs of requests."""

import pytest
import structlog
from flask import Flask

from arena.services.numbers import home


def test_each_request_has_its_own_id(app: Flask) -> None:
    """The response carries it, and the client cannot choose it."""
    client = app.test_client()

    ids = [client.get("/about", headers={"X-Request-ID": "mine"}).headers["X-Request-ID"] for _ in range(2)]

    assert len({"mine", *ids}) == 3


def test_failure_shows_the_id_that_is_logged(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report with the ID leads to the line."""
    bound = []

    def fail(_: object) -> None:
        bound.append(structlog.contextvars.get_contextvars()["request"])
        raise RuntimeError("no cards")

    monkeypatch.setattr(home, "home", fail)
    app.config["PROPAGATE_EXCEPTIONS"] = False

    response = app.test_client().get("/")

    assert response.status_code == 500
    assert bound == [response.headers["X-Request-ID"]]
    assert f"<code>{bound[0]}</code>" in response.text
