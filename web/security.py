"""What every response and every request is held to: headers, cache rules, and how large a body may be."""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

from flask import Flask, current_app, request
from flask.sessions import SecureCookieSessionInterface
from werkzeug.wrappers import Response

HARD_CAP: Final = 32 * 2**20
"""Bytes of an upload that are read before the connection is refused. Far above the limit for a bot, so that somebody
who picks a file of 20 MB reads a page that says so, and not an error of the browser."""
FORM_CAP: Final = 256 * 2**10
"""Bytes of any other form."""

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
YEAR: Final = 365 * 24 * 3600

View = TypeVar("View", bound=Callable[..., Any])


class Sessions(SecureCookieSessionInterface):
    """Signed cookies, marked for encrypted connections alone wherever the request came over one."""

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the cookie of this response is only for encrypted connections."""
        return request.is_secure


def secure(app: Flask) -> None:
    """Hold this app to the rules of this module. To be called before anything else reads the body of a request."""
    app.config.from_mapping(
        MAX_CONTENT_LENGTH=HARD_CAP,
        MAX_FORM_MEMORY_SIZE=HARD_CAP,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )
    app.session_interface = Sessions()
    app.before_request(cap_body)
    app.after_request(add_headers)
    app.url_defaults(add_fingerprint)


def takes_upload(view: View) -> View:
    """Mark a view whose requests may be as large as a careless upload."""
    view.takes_upload = True  # type: ignore[attr-defined]
    return view


def cap_body() -> None:
    """Only uploads may be large."""
    view = current_app.view_functions.get(request.endpoint or "")
    if not getattr(view, "takes_upload", False):
        request.max_content_length = FORM_CAP


def add_headers(response: Response) -> Response:
    """Add what is missing; static files named with their fingerprint never change and may be kept."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint == "static" and "v" in request.args and response.status_code in (200, 304):
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    elif "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-cache" if request.endpoint == "static" else "private, no-cache"
    return response


def add_fingerprint(endpoint: str, values: dict[str, object]) -> None:
    """Name static files with a fingerprint of their bytes, so that a new release is seen at once."""
    if endpoint == "static" and "filename" in values and current_app.static_folder:
        path = Path(current_app.static_folder, str(values["filename"]))
        if path.is_file():
            values["v"] = _fingerprint(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _fingerprint(path: Path, changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
