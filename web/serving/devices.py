"""Browsers from which accounts have logged in.

Strangers who guess a password use up the log-ins of the account, but not those of its owner's browsers: each of them
has a signed cookie with a number, and log-ins of its accounts are counted by that number.
"""

import secrets
from typing import Final, NamedTuple

from flask import after_this_request, current_app, request
from itsdangerous import BadData, URLSafeTimedSerializer
from werkzeug.wrappers import Response

from arena.services.base.names import key
from web.serving.security import cookie_name

COOKIE: Final = "arena_device"
AGE: Final = 365 * 24 * 3600
"""Seconds for which a browser is remembered."""
MOST: Final = 5
"""Number of accounts that a browser remembers: members of a family share one."""


class Device(NamedTuple):
    """A browser, and the accounts that it knows."""

    number: str
    names: list[str]


def known(name: str) -> str | None:
    """Return the number of the browser if the account with this name in lower case has logged in from it."""
    device = _device()
    return device.number if device and name in device.names else None


def remember(name: str) -> None:
    """Remember in the response that the account logged in from this browser."""
    device = _device() or Device(secrets.token_hex(8), [])
    names = [key(name), *(other for other in device.names if other != key(name))][:MOST]
    value = _signer().dumps([device.number, names])

    @after_this_request
    def hand_out(response: Response) -> Response:
        response.set_cookie(cookie_name(COOKIE), value, AGE, secure=request.is_secure, httponly=True, samesite="Lax")
        return response


def _device() -> Device | None:
    try:
        return Device(*_signer().loads(request.cookies.get(cookie_name(COOKIE), ""), max_age=AGE))
    except BadData:
        return None


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(str(current_app.secret_key), salt="device")
