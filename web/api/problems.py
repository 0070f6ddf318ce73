"""Errors of the API: `application/problem+json` (RFC 9457), with the same sentences as on the pages."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from flask import Response, g, request
from werkzeug.exceptions import HTTPException

from arena.games.errors import ArenaError, Conflict, Forbidden, NotFound
from arena.services.people import repeats
from web.api import MCP, PREFIX

MEDIA: Final = "application/problem+json"


class Kind(NamedTuple):
    """A kind of problem."""

    status: int
    title: str
    detail: str
    """What it means and what to do, if nothing more precise is known."""


KINDS: Final[Mapping[str, Kind]] = {
    "malformed": Kind(400, "Malformed request", "The request cannot be read."),
    "invalid": Kind(400, "Invalid parameters", "Some parameters or fields are not allowed; `errors` names each."),
    "unauthenticated": Kind(
        401,
        "Token required",
        "Send a valid access token: `Authorization: Bearer suit_…`. Make one on your account page.",
    ),
    "scope": Kind(403, "Scope required", "The token lacks a scope that this operation needs."),
    "forbidden": Kind(403, "Not allowed", "Only the owner, an organiser or an administrator may do this."),
    "not-found": Kind(404, "Not found", "There is no such resource, or you may not see it."),
    "method": Kind(405, "Method not allowed", "This address does not have this method; `Allow` lists those it has."),
    "conflict": Kind(409, "Conflict", "The present state does not allow this."),
    "too-large": Kind(413, "Too large", "The body exceeds the size limit and was not read."),
    "media-type": Kind(415, "Unsupported media type", "The body has another content type than this operation takes."),
    "misdirected": Kind(421, "Unknown address", "This site is not reached under this name."),
    "refused": Kind(422, "Refused", "A rule of the arena does not allow this."),
    "key-reused": Kind(422, "Idempotency key reused", "This Idempotency-Key was sent before with another request."),
    "too-many": Kind(429, "Too many requests", "Wait for the number of seconds in `Retry-After`."),
    "internal": Kind(500, "Internal error", "The error has been logged. Please try again."),
    "unavailable": Kind(503, "Temporarily unavailable", "Try again in a minute."),
}
"""Kinds of problems, by the last part of their type."""
_BY_STATUS: Final = {kind.status: name for name, kind in reversed([*KINDS.items()])}

_REFUSALS: Final = {
    NotFound: "not-found",
    Forbidden: "forbidden",
    Conflict: "conflict",
    repeats.InWork: "conflict",
    repeats.Differs: "key-reused",
}


IN_WORK_RETRY: Final = "20"
"""Seconds after which to ask for the answer of a request in work. Six waits are the longest time that it may take."""


class Wrong(NamedTuple):
    """A wrong field."""

    place: str
    """Path of the field, such as ``body.shape.rounds``."""
    detail: str


class Problem(Exception):
    """A request that cannot be answered."""

    def __init__(
        self, name: str, detail: str = "", errors: Sequence[Wrong] = (), headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail or KINDS[name].detail)
        self.name = name
        self.errors = errors
        self.headers = headers or {}


def concerned() -> bool:
    """Whether the request is one to the API, or to its tools."""
    return request.path.startswith(f"{PREFIX}/") or request.path == MCP


def respond(problem: Problem) -> Response:
    """Return a problem as a response."""
    kind = KINDS[problem.name]
    said: dict[str, object] = {
        "type": f"{PREFIX}/problems/{problem.name}",
        "title": kind.title,
        "status": kind.status,
        "detail": str(problem),
        "request": g.get("request_id", ""),
    }
    if problem.errors:
        said["errors"] = [wrong._asdict() for wrong in problem.errors]
    response = Response(json.dumps(said, ensure_ascii=False) + "\n", kind.status, content_type=MEDIA)
    response.headers.extend(problem.headers)
    response.headers["Cache-Control"] = "no-store"
    return response


def of_refusal(refusal: ArenaError) -> Problem:
    """Return the problem of what a service refused."""
    name = next((name for kind, name in _REFUSALS.items() if isinstance(refusal, kind)), "refused")
    headers = {"Retry-After": IN_WORK_RETRY} if isinstance(refusal, repeats.InWork) else None
    return Problem(name, str(refusal), headers=headers)


def of_http(error: HTTPException) -> Problem:
    """Return the problem of an HTTP error that Flask raised."""
    name = _BY_STATUS.get(error.code or 500, "malformed")
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return Problem(name, headers=headers)


def of_status(status: int, detail: str) -> Problem:
    """Return the problem with this HTTP status."""
    return Problem(_BY_STATUS[status], detail, headers={"Retry-After": "60"} if status == 503 else None)
