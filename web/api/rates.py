"""Limit of requests to the API, per token or address, and its headers (draft-ietf-httpapi-ratelimit-headers)."""

import time
from typing import Any, Final

from flask import Response, g
from redis.exceptions import RedisError

from web.api.access import key
from web.serving.limits import client, limit
from web.serving.session import arena

METHODS: Final = ("GET", "POST", "PATCH", "PUT", "DELETE")

BUSY: Final = 10
"""Factor of the limit of operations that a quick program asks for all the time; they are counted by themselves."""


def limited(view: Any, name: str = "api") -> Any:
    """Limit the requests of a token, or of an address without one, to the number that the setting allows."""
    return limit(name, _allowed, _sender, METHODS)(view)


def limited_busy(view: Any) -> Any:
    """Limit them to `BUSY` times that number."""
    return limit("busy", _allowed_busy, _sender, METHODS)(view)


def tell(response: Response) -> Response:
    """Add what is left of the limits of the request; after a refusal, when to try again."""
    counted = _counted()
    if counted:
        response.headers["RateLimit-Policy"] = ", ".join(f'"{q}-in-{w}";q={q};w={w}' for q, w, _, _ in counted)
        response.headers["RateLimit"] = ", ".join(f'"{q}-in-{w}";r={r};t={t}' for q, w, r, t in counted)
    if response.status_code == 429:
        response.headers["Retry-After"] = str(max((t for _, _, r, t in counted if not r), default=60))
    return response


def _counted() -> list[tuple[int, int, int, int]]:
    """Return quota, window, rest and seconds left of each limit; none if the storage has died since the count."""
    try:
        return [(one.limit.amount, one.limit.get_expiry(), one.remaining, _left(one)) for one in g.get("limits", ())]
    except RedisError:
        return []


def _allowed() -> str:
    return f"{arena().settings.api_requests} per minute"


def _allowed_busy() -> str:
    return f"{BUSY * arena().settings.api_requests} per minute"


def _sender() -> str:
    token = key()
    return client() if token is None else f"token:{token.id}"


def _left(one: Any) -> int:
    """Return the number of seconds until a limit starts anew."""
    return max(1, int(one.reset_at - time.time()))
