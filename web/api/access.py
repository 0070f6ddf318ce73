"""Access to the API: the token of a request, and whether its scopes allow an operation."""

from typing import Final, cast

from flask import current_app, g, request

from arena import words
from arena.services.people.keys import Key, Scope
from arena.words import ENGLISH
from web.api.problems import Problem, concerned
from web.serving.session import arena, presented

REALM: Final = 'Bearer realm="arena"'


def identify() -> None:
    """Let the token of a request to the API decide who its viewer is. A session's cookie does not count there.

    Programs compare its texts, so they are English in every language.
    """
    if concerned():
        words.speak(ENGLISH)
        g.key = _operator() or presented(arena(), request.headers.get("Authorization", ""))
        g.viewer = None if g.key is None else g.key.account


def _operator() -> Key | None:
    """Return the authority of the operator's own commands, which is a property of the application, not of a request."""
    account = current_app.extensions["operator"]
    return Key(0, account, frozenset(Scope)) if account else None


def key() -> Key | None:
    """Return the token of the request; None without a valid one."""
    return cast("Key | None", g.get("key"))


def authorise(scope: Scope | None) -> None:
    """Raise `Problem` if the token is not valid, or lacks the scope of an operation."""
    if key() is None and "Authorization" in request.headers:
        wrong = "The token is unknown, revoked or expired, or its account is disabled."
        raise Problem("unauthenticated", wrong, headers=_challenge('error="invalid_token"'))
    if scope is None:
        return
    if key() is None:
        raise Problem("unauthenticated", headers=_challenge())
    _check(scope)


def _check(scope: Scope) -> None:
    held = cast("Key", key()).scopes
    if scope not in held:
        needs = f"This operation needs a token with the scope {scope}; this one has: {', '.join(sorted(held))}."
        raise Problem("scope", needs, headers=_challenge('error="insufficient_scope"', f'scope="{scope}"'))


def _challenge(*more: str) -> dict[str, str]:
    return {"WWW-Authenticate": ", ".join([REALM, *more])}
