"""Limits of the body of members' requests; `web.serving.security` has those of all others."""

from collections.abc import Mapping

from flask import current_app, request
from werkzeug.http import parse_cookie

from arena.services.base.context import Arena
from arena.services.people import sessions
from web.serving.security import FORM_CAP, HARD_CAP, VISITOR_CAP, cookie_names
from web.serving.session import COOKIE, presented, viewer


def sender_of(arena: Arena, headers: Mapping[str, str]) -> int | None:
    """Return the ID of the account whose session or token a request has, before its body is read; None for a visitor.

    `headers` has upper-case names, with underscores.
    """
    cookies = parse_cookie(headers.get("COOKIE"))
    for token in filter(None, map(cookies.get, cookie_names(COOKIE))):
        if account := sessions.find(arena, token, used=False):
            return account.id
    key = presented(arena, headers.get("AUTHORIZATION", ""))
    return key.account.id if key else None


def admit_body() -> None:
    """Let members send forms of `FORM_CAP`, and uploads of `HARD_CAP`."""
    if (request.content_length or 0) > VISITOR_CAP and viewer():
        view = current_app.view_functions.get(request.endpoint or "")
        upload = getattr(view, "takes_upload", False) and request.mimetype == "multipart/form-data"
        request.max_content_length = HARD_CAP if upload else FORM_CAP
