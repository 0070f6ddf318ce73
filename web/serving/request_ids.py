"""IDs of requests: in each line that a request logs, in its response, and on error pages."""

import secrets

import structlog
from flask import Flask, g
from werkzeug.wrappers import Response

HEADER = "X-Request-ID"


def register_request_ids(app: Flask) -> None:
    """Give every request an ID. Call it before anything that may log or refuse a request."""
    app.before_request(begin)
    app.after_request(end)


def new() -> str:
    """Return a new ID."""
    return secrets.token_hex(6)


def begin() -> None:
    """Give the request an ID, which the client cannot choose."""
    g.request_id = new()
    structlog.contextvars.clear_contextvars()  # a thread serves many requests
    structlog.contextvars.bind_contextvars(request=g.request_id)


def end(response: Response) -> Response:
    """Send the ID."""
    response.headers[HEADER] = g.request_id
    return response
