"""The tools of language models over HTTP: one request of JSON-RPC in a POST, without a session.

The caller's token is checked here, and again by the operations that a tool asks: nothing is allowed here that the API
does not allow.
"""

from typing import Final

from flask import Blueprint, Response, request

from arena.mcp.tools import Caller
from arena.services.people.keys import Scope
from web.api import MCP, rates
from web.api.access import authorise
from web.api.problems import Problem
from web.mcp.inside import Inside

bp = Blueprint("mcp", __name__)
bp.after_request(rates.tell)

WAIT: Final = 3.0
"""Seconds for which a call may wait for the model's turn, because it holds a thread."""


@bp.post(MCP)
def answer() -> Response:
    """Answer a request."""
    _check_origin()
    authorise(Scope.READ)
    body = request.get_data()
    from web.mcp.exchange import exchanged  # large: only a process that needs it has it in its memory

    return exchanged(Caller(Inside(), WAIT), body)


rates.limited(answer, "mcp")


def _check_origin() -> None:
    """Raise `Problem` for a page of another site: its browser may have been given this site's name (DNS rebinding)."""
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.host:
        raise Problem("forbidden", "A page of another site may not use this address.")
