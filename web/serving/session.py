"""The arena of the app, and the session or the token of the request.

Members have a session in the database (`arena.services.people.sessions`), and its token in a cookie. Visitors have only
Flask's signed cookie, once a form or a message needs it; members have it as well.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar, cast

from flask import abort, after_this_request, current_app, flash, g, redirect, request, session, url_for
from werkzeug.wrappers import Response

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.live import people
from arena.services.people import keys, sessions, teams
from arena.services.people.keys import Key
from arena.words import _
from web.serving import devices
from web.serving.browsers import browser
from web.serving.security import cookie_name

COOKIE: Final = "arena_session"
GUEST: Final = "guest"
"""Key, in Flask's cookie, of the text that names a guest at live tables."""

P = ParamSpec("P")
R = TypeVar("R")


def arena() -> Arena:
    """Return the arena that the app serves."""
    return cast("Arena", current_app.extensions["arena"])


def viewer() -> Account | None:
    """Return the account of the request, looked up once per request; None for a visitor."""
    if "viewer" not in g:
        # The polls of an open page are no use of the session: otherwise it would never end.
        used = "HX-Request" not in request.headers
        g.viewer = sessions.find(arena(), token(), used) if token() else None
    return cast("Account | None", g.viewer)


def own_bots() -> frozenset[int]:
    """Return the IDs of the bots that the account of the request owns, alone or with others."""
    account = viewer()
    if "own_bots" not in g:
        g.own_bots = teams.own_bots(arena(), account) if account else frozenset()
    return cast("frozenset[int]", g.own_bots)


def token() -> str:
    """Return the token of the request's session; empty for a visitor."""
    return request.cookies.get(cookie_name(COOKIE), "")


def member() -> Account:
    """Return the account of the request. Aborts with 403 for a visitor."""
    account = viewer()
    if account is None:
        abort(403)
    return account


def sign_in(account: Account) -> None:
    """Begin a new session of the account in this browser, and end the one before.

    What its guest has played belongs to the account from now on.
    """
    guest = session.get(GUEST)
    _forget()
    if guest:
        people.adopt(arena(), guest, account)
    begun = sessions.begin(arena(), account, browser(request.user_agent.string))
    seconds = sessions.LENGTH

    @after_this_request
    def hand_out(response: Response) -> Response:
        response.set_cookie(
            cookie_name(COOKIE), begun, round(seconds), secure=request.is_secure, httponly=True, samesite="Lax"
        )
        return response

    devices.remember(account.name)
    g.viewer = account


def sign_out() -> None:
    """End the session of the request."""
    _forget()

    @after_this_request
    def take_back(response: Response) -> Response:
        response.delete_cookie(cookie_name(COOKIE), secure=request.is_secure, httponly=True, samesite="Lax")
        return response

    g.viewer = None


def _forget() -> None:
    """End the session of the request, and discard what the visitor's cookie holds, such as the token of the forms."""
    session.clear()
    if token():
        sessions.end(arena(), token())


def members_only(view: Callable[P, R]) -> Callable[P, R | Response]:
    """Redirect visitors to the log-in page, and from there back to the requested page."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | Response:
        if viewer() is not None:
            return view(*args, **kwargs)
        flash(_("Log in to continue to the page that you requested."), "info")
        wanted = request.full_path.rstrip("?") if request.method == "GET" else None
        return redirect(url_for("accounts.log_in", next=wanted))

    return guarded


def organisers_only(view: Callable[P, R]) -> Callable[P, R | Response]:
    """Like `members_only`, and abort with 403 for members who are neither organisers nor administrators."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | Response:
        if not member().may_organise:
            abort(403)
        return view(*args, **kwargs)

    return members_only(guarded)


def admins_only(view: Callable[P, R]) -> Callable[P, R | Response]:
    """Like `members_only`, and abort with 403 for members who are not administrators."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | Response:
        if not member().is_admin:
            abort(403)
        return view(*args, **kwargs)

    return members_only(guarded)


def safe_next(target: str) -> str:
    """Return the target if it is a path of this site, else the page of the member's bots.

    Browsers read a backslash as a slash and skip tabs and line ends, so these could hide another host in a path.
    """
    local = target.startswith("/") and not target.startswith("//") and "\\" not in target and target.isprintable()
    return target if local else url_for("accounts.show")


def presented(arena: Arena, authorization: str) -> Key | None:
    """Return the token in the value of an Authorization header; None without a valid one."""
    token = bearer(authorization)
    return keys.find(arena, token) if token else None


def bearer(authorization: str) -> str:
    """Return the text of the token in the value of an Authorization header; empty without one."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
