"""Pages for monitors: whether the web server lives, whether the arena can play, and metrics."""

import hmac
import json
import time
from typing import Final

from flask import Blueprint, Flask, Response, abort, g, request

from arena.services.base.measures import REQUESTS
from arena.services.health import readiness
from arena.services.health.metrics import CONTENT_TYPE, render
from arena.services.health.views import Check
from arena.words import _
from web.serving.session import arena, viewer
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


@bp.get("/metrics")
def metrics() -> Response:
    """Answer the metrics of all processes to administrators and to programs with the token."""
    if not _may_read():
        abort(403)
    response = Response(render(arena(), [_broker()]), content_type=CONTENT_TYPE)
    response.headers["Cache-Control"] = "no-store"
    return response


def _may_read() -> bool:
    token = arena().settings.metrics_token
    if token and "Authorization" in request.headers:
        return hmac.compare_digest(request.headers["Authorization"].encode(), f"Bearer {token}".encode())
    account = viewer()
    return account is not None and account.is_admin


def checks() -> tuple[Check, ...]:
    """Return all conditions of readiness."""
    return (*readiness.checks(arena()), _broker())


def _broker() -> Check:
    answers = broker.look(arena().settings.broker_url, PATIENCE) is not None
    says = _("It answers.") if answers else _("It does not answer: workers look for work in the database, slowly.")
    return Check("broker", answers, says)


def _line(check: Check) -> str:
    return f"{'ok' if check.holds else 'failed'}: {check.says}"


def _answer(status: int, facts: dict[str, bool | str]) -> Response:
    response = Response(json.dumps(facts, indent=1) + "\n", status, content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def observe(status: int, began: float) -> None:
    """Add a request that began at this time of the performance counter to the metrics."""
    REQUESTS.labels(f"{status // 100}xx").observe(time.perf_counter() - began)


def measure_requests(app: Flask) -> None:
    """Measure the duration of every request that Flask answers. Static files and shared pages do not reach it."""

    def begin() -> None:
        g.began = time.perf_counter()

    def end(response: Response) -> Response:
        observe(response.status_code, g.began)
        return response

    app.before_request(begin)
    app.after_request(end)
