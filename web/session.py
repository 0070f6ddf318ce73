"""Who is asking: the arena that this app serves, and the account behind the request."""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar, cast

from flask import abort, current_app, flash, g, redirect, request, session, url_for
from werkzeug.wrappers import Response

from arena.services import accounts
from arena.services.context import Arena
from arena.services.shapes import Account

_KEY: Final = "account"
_STAMP: Final = "stamp"

P = ParamSpec("P")
R = TypeVar("R")


def arena() -> Arena:
    """The arena that this app was created for."""
    return cast("Arena", current_app.extensions["arena"])


def viewer() -> Account | None:
    """The account behind this request, looked up once per request; None for a visitor."""
    if "viewer" not in g:
        number = session.get(_KEY)
        account = None if number is None else accounts.account(arena(), number)
        g.viewer = account if account and account.stamp == session.get(_STAMP) else None
    return cast("Account | None", g.viewer)


def member() -> Account:
    """The account behind a request to a page that only members reach."""
    account = viewer()
    if account is None:
        abort(403)
    return account


def sign_in(account: Account) -> None:
    """Start a fresh session for this account: nothing of the visitor's session is carried over."""
    session.clear()
    session[_KEY], session[_STAMP] = account.id, account.stamp
    session.permanent = True
    g.viewer = account


def sign_out() -> None:
    """Forget who this was."""
    session.clear()
    g.viewer = None


def members_only(view: Callable[P, R]) -> Callable[P, R | Response]:
    """Send visitors to the log-in page, and from there back to where they wanted to go."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | Response:
        if viewer() is not None:
            return view(*args, **kwargs)
        flash("Log in first, and you will be taken on to the page that you asked for.", "info")
        wanted = request.full_path.rstrip("?") if request.method == "GET" else None
        return redirect(url_for("accounts.log_in", next=wanted))

    return guarded


def admins_only(view: Callable[P, R]) -> Callable[P, R | Response]:
    """As `members_only`, and members who are not admins get the 403 page."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | Response:
        if not member().is_admin:
            abort(403)
        return view(*args, **kwargs)

    return members_only(guarded)


def safe_next(target: str) -> str:
    """Where to go after logging in: a path of this site, or the page of one's own bots.

    Browsers read a backslash as a slash and skip tabs and line ends, so neither may hide another host in a path.
    """
    local = target.startswith("/") and not target.startswith("//") and "\\" not in target and target.isprintable()
    return target if local else url_for("accounts.show")
