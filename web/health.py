"""Whether the web server lives and whether the arena can play, for monitors. Neither page reads a session."""

import json
from typing import Final

from flask import Blueprint, Response

from arena.services.health import readiness
from arena.services.health.views import Check
from web.session import arena
from workers import broker

bp = Blueprint("health", __name__)

PATIENCE: Final = 1.0
"""Seconds to wait for the broker."""


@bp.get("/healthz")
def alive() -> Response:
    """Answer that this process serves requests. Needs no database."""
    return _answer(200, {"alive": True})


@bp.get("/readyz")
def ready() -> Response:
    """Answer 200 if the arena can play, otherwise 503, with one line for each check."""
    found = checks()
    holds = all(check.holds for check in found)
    return _answer(200 if holds else 503, {"ready": holds} | {one.name: _line(one) for one in found})


def checks() -> tuple[Check, ...]:
    """Return all conditions of readiness."""
    answers = broker.look(arena().settings.broker_url, PATIENCE) is not None
    says = "It answers." if answers else "It does not answer: workers look for work in the database, slowly."
    return (*readiness.checks(arena()), Check("broker", answers, says))


def _line(check: Check) -> str:
    return f"{'ok' if check.holds else 'failed'}: {check.says}"


def _answer(status: int, facts: dict[str, bool | str]) -> Response:
    response = Response(json.dumps(facts, indent=1) + "\n", status, content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
