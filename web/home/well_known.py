"""Files that programs look for at fixed addresses: `robots.txt` and `security.txt`."""

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, Response, abort, url_for

from web.serving.session import arena

bp = Blueprint("well_known", __name__)

CLOSED: Final = (
    "/login", "/register", "/me", "/notices", "/operations/", "/metrics", "/crosstables/", "/statistics/", "/versions/",
    "/*.json", "/*?",
)  # fmt: skip
"""Beginnings of paths that crawlers leave alone: pages of members, and tables in countless sorts and selections."""
VALID: Final = timedelta(days=180)
"""Time for which the contact may be taken to be right."""


@bp.get("/robots.txt")
def robots() -> Response:
    """Ask crawlers to leave the pages alone that are of no use to them."""
    return _text("User-agent: *", *(f"Disallow: {path}" for path in CLOSED))


@bp.get("/.well-known/security.txt")
def security() -> Response:
    """Name the contact for holes in the site's security (RFC 9116)."""
    contact = arena().settings.contact
    if contact is None:
        abort(404)
    expires = (datetime.now(UTC) + VALID).replace(hour=0, minute=0, second=0, microsecond=0)
    return _text(
        f"Contact: {contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {url_for('well_known.security', _external=True)}",
    )


def _text(*lines: str) -> Response:
    return Response("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")
