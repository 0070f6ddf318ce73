"""The choice of a language in the foot of each page."""

from urllib.parse import urlsplit

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from arena.services.base.languages import NAMES
from arena.services.people import accounts
from web.serving.languages import COOKIE
from web.serving.security import YEAR, cookie_name
from web.serving.session import arena, viewer

bp = Blueprint("languages", __name__)


@bp.post("/language")
def choose() -> ResponseReturnValue:
    """Keep the language that the visitor chose, for a member also for mails, and go back to the page."""
    tag = request.form.get("language", "")
    response = redirect(_page())
    if tag in NAMES:
        if (account := viewer()) is not None:
            accounts.choose_language(arena(), account, tag)
        response.set_cookie(cookie_name(COOKIE), tag, YEAR, secure=request.is_secure, httponly=True, samesite="Lax")
    return response


def _page() -> str:
    """Return the path of the page whose foot it was; that of the front page if it belongs to another site."""
    page = urlsplit(request.referrer or "")
    if page.netloc != request.host:
        return url_for("home.index")
    path = "/" + page.path.lstrip("/\\")  # two slashes would begin the name of a host
    return f"{path}?{page.query}" if page.query else path
