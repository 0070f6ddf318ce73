"""Health pages for monitors."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest
from flask import Flask
from sqlalchemy import text

from arena.services.base.context import Arena
from arena.services.base.measures import REGISTRY
from arena.services.health import heartbeats
from arena.services.health.heartbeats import Sign
from tests.web.conftest import Person
from web.app import create_app
from workers import broker
from workers.broker import Broker

REQUEST: Final = "arena_request_seconds_count"


@pytest.fixture
def _answering_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that answers."""
    monkeypatch.setattr(broker, "look", lambda *_: Broker(0, 0))


def ready(app: Flask) -> tuple[int, dict[str, Any]]:
    """Return the status and the facts of the page."""
    response = app.test_client().get("/readyz")
    assert "Set-Cookie" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"
    return response.status_code, json.loads(response.text)


@pytest.mark.usefixtures("_answering_broker")
def test_ready_arena(app: Flask, arena: Arena) -> None:
    """The answer has one line for each check."""
    heartbeats.report(arena, Sign("a:1", "worker", "idle", active=1.0, held=2.0))

    status, facts = ready(app)

    assert (status, facts["ready"], list(facts)) == (200, True, ["ready", "database", "schema", "workers", "broker"])
    assert facts["workers"].startswith("ok: ")
    assert app.test_client().get("/readyz").text.count("\n") == len(facts) + 2


@pytest.mark.usefixtures("_answering_broker")
def test_arena_without_workers_is_not_ready(app: Flask) -> None:
    """The status is 503, and the line says why."""
    status, facts = ready(app)

    assert (status, facts["ready"]) == (503, False)
    assert facts["workers"] == "failed: No worker process reports."


def test_arena_without_broker_is_not_ready(app: Flask, arena: Arena) -> None:
    """The arena plays, but slowly."""
    heartbeats.report(arena, Sign("a:1", "worker", "idle", active=1.0, held=2.0))

    status, facts = ready(app)

    assert status == 503
    assert facts["broker"].startswith("failed: ")


def test_web_server_lives_without_its_database(app: Flask, arena: Arena) -> None:
    """Liveness needs neither the database nor a session."""
    with arena.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    response = app.test_client().get("/healthz")

    assert (response.status_code, json.loads(response.text)) == (200, {"alive": True})
    assert "Set-Cookie" not in response.headers
    assert ready(app)[0] == 503


def test_metrics_are_for_administrators_and_programs_with_the_token(
    arena: Arena, visitor: Person, ada: Person, bob: Person, promote: Callable[[Person], Person]
) -> None:
    """Without a token in the settings, programs cannot read them."""
    token = "a token of 24 characters"
    open_to_programs = create_app(replace(arena, settings=replace(arena.settings, metrics_token=token)))
    headers = {"Authorization": f"Bearer {token}"}

    assert visitor.client.get("/metrics", headers=headers).status_code == 403
    assert visitor.client.get("/metrics", headers={"Authorization": "Bearer None"}).status_code == 403
    assert "arena_waiting" in promote(bob).visit("/metrics")
    program = open_to_programs.test_client()
    assert program.get("/metrics").status_code == 403
    assert program.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 403
    answer = program.get("/metrics", headers=headers)
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert "Set-Cookie" not in answer.headers


def test_requests_are_measured_by_status(app: Flask) -> None:
    """Static files are not."""
    client = app.test_client()
    counted = [(status, REGISTRY.get_sample_value(REQUEST, {"status": status}) or 0) for status in ("2xx", "4xx")]

    for address in ("/about", "/nothing", "/static/site.css"):
        client.get(address)

    for status, before in counted:
        assert REGISTRY.get_sample_value(REQUEST, {"status": status}) == before + 1
