"""The arena of the app and the account of the request."""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar, cast

from flask import abort, current_app, flash, g, redirect, request, session, url_for
from werkzeug.wrappers import Response

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import accounts, teams

_KEY: Final = "account"
_STAMP: Final = "stamp"

P = ParamSpec("P")
R = TypeVar("R")


def arena() -> Arena:
    """Return the arena that the app serves."""
    return cast("Arena", current_app.extensions["arena"])


def viewer() -> Account | None:
    """Return the account of the request, looked up once per request; None for a visitor."""
    if "viewer" not in g:
        number = session.get(_KEY)
        account = None if number is None else accounts.account(arena(), number)
        g.viewer = account if account and account.stamp == session.get(_STAMP) else None
    return cast("Account | None", g.viewer)


def own_bots() -> frozenset[int]:
    """Return the IDs of the bots that the account of the request owns, alone or with others."""
    account = viewer()
    if "own_bots" not in g:
        g.own_bots = teams.own_bots(arena(), account) if account else frozenset()
    return cast("frozenset[int]", g.own_bots)


def member() -> Account:
    """Return the account of the request. Aborts with 403 for a visitor."""
    account = viewer()
    if account is None:
        abort(403)
    return account


def sign_in(account: Account) -> None:
    """Start a new session for the account, discarding the visitor's session."""
    session.clear()
    session[_KEY], session[_STAMP] = account.id, account.stamp
    session.permanent = True
    g.viewer = account


def sign_out() -> None:
    """End the session."""
    session.clear()
    g.viewer = None


def members_only(view: Callable[P, R]) -> Callable[P, R | Response]:
    """Redirect visitors to the log-in page, and from there back to the requested page."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | Response:
        if viewer() is not None:
            return view(*args, **kwargs)
        flash("Log in to continue to the page that you requested.", "info")
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
    """Like `members_only`, and abort with 403 for members who are not admins."""

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
