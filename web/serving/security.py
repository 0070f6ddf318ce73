"""Security of requests and responses: headers, cache rules, limits of the body."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface
from werkzeug.wrappers import Response

from arena.words import N_

HARD_CAP: Final = 32 * 2**20
"""Maximum size of an upload in bytes before the connection is refused. Far above the limit for a bot, so that a file of
20 MB gets an error page instead of a browser error."""
FORM_CAP: Final = 256 * 2**10
"""Maximum size of any other form of a member in bytes, and of the text in the form of an upload."""
VISITOR_CAP: Final = 64 * 2**10
"""Maximum size of a form of a visitor in bytes. Log-in and registration need a few hundred."""
TOO_LARGE: Final = N_("It exceeds the size limit and was not read. If you were logged out, log in and try again.")
"""Answer to a larger one."""

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
FRAMED: Final = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *"
"""Content-Security-Policy of a page that every site may show in a frame: it has nothing to send."""
YEAR: Final = 365 * 24 * 3600

View = TypeVar("View", bound=Callable[..., Any])


class Visits(SecureCookieSessionInterface):
    """Signed cookies with the token of forms and messages, marked as secure if the request is encrypted."""

    def get_cookie_name(self, app: Flask) -> str:
        """Name of the cookie."""
        return cookie_name(super().get_cookie_name(app))

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whether the browser may send the cookie over encrypted connections only."""
        return request.is_secure


def cookie_name(name: str) -> str:
    """Return the name of a cookie in this request. If it is encrypted, no other host and no plain page can set it."""
    return cookie_names(name)[request.is_secure]


def cookie_names(name: str) -> tuple[str, str]:
    """Return the names of a cookie in plain and in encrypted requests."""
    return name, f"__Host-{name}"


def secure(app: Flask) -> None:
    """Apply the rules of this module. Call it before anything that reads the body of a request."""
    app.config.from_mapping(
        MAX_CONTENT_LENGTH=HARD_CAP,
        MAX_FORM_MEMORY_SIZE=FORM_CAP,
        SESSION_COOKIE_NAME="arena_visit",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,  # no Set-Cookie if nothing has changed
    )
    app.session_interface = Visits()
    app.before_request(cap_body)
    app.after_request(add_headers)


def takes_upload(view: View) -> View:
    """Mark a view to which members may send as much as `HARD_CAP`."""
    vars(view)["takes_upload"] = True
    return view


def cap_body() -> None:
    """Limit the body to `VISITOR_CAP` until the request is known to be a member's."""
    request.max_content_length = VISITOR_CAP


def add_headers(response: Response) -> Response:
    """Add missing headers."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if response.headers["Content-Security-Policy"] == FRAMED:
        del response.headers["X-Frame-Options"]
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return response
