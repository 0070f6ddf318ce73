"""Rate limits of costly requests, counted before a request's body is read.

The limits per address leave room for a class of thirty behind one router; the limits per account slow down password
guessing and floods of uploads. Keys are hashed into a fixed number of classes, so that no client decides how much
memory the counts need.
"""

import hashlib
from collections.abc import Callable, Sequence
from ipaddress import IPv6Address, ip_address
from typing import Any, Final, TypeVar

from flask import Flask, current_app, g, request
from flask_limiter import Limiter
from werkzeug.exceptions import HTTPException

from arena.services.base.names import key
from web import devices
from web.session import viewer

NETWORK: Final = 64
"""Bits of an IPv6 address that count as one address: a household or a rented server has all the rest."""
CLASS_BYTES: Final = 2
"""Bytes of a hashed key, which makes 65,536 counts for each limit."""


View = TypeVar("View", bound=Callable[..., Any])


def network(address: str | None) -> str:
    """Return the client that an address stands for: itself, or the network of an IPv6 address."""
    try:
        parsed = ip_address(address or "")
    except ValueError:  # a socket of this machine, or what a trusted proxy wrote
        return "unknown"
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> (128 - NETWORK) << (128 - NETWORK))}/{NETWORK}"


def hashed(text: str) -> str:
    """Return the class of a key. Only the arena can tell which keys share one."""
    secret = hashlib.sha256(str(current_app.secret_key).encode()).digest()
    return hashlib.blake2b(text.encode(errors="replace"), key=secret, digest_size=CLASS_BYTES).hexdigest()


def client() -> str:
    """Key of the address of the request."""
    return f"address:{hashed(network(request.remote_addr))}"


def guessed() -> str:
    """Key of a log-in: the account that is tried, or the browser if the account has logged in from it before."""
    try:
        name = key(request.form.get("name", "").strip())
    except HTTPException:  # the body is too large; whoever reads it next says so
        name = ""
    device = devices.known(name)
    return f"device:{hashed(device)}" if device else f"account:{hashed(name)}"


def uploader() -> str:
    """Key of uploads and invitations: the account, or the address of a visitor."""
    account = viewer()
    return client() if account is None else f"account:{account.id}"


limiter: Final = Limiter(client, in_memory_fallback_enabled=True, key_prefix="arena-web")
"""Counts in this process while the shared storage is unreachable."""


def limit(
    name: str, value: str | Callable[[], str], by: Callable[[], str] = client, methods: Sequence[str] = ("POST",)
) -> Callable[[View], View]:
    """Return a decorator of views whose requests, by default only of forms, are limited by a key."""

    def count() -> None:
        """Raise 429 if the limit is reached."""

    count.__qualname__ = name  # Flask-Limiter tells functions apart by their names
    counted = limiter.limit(value, methods=list(methods), key_func=by)(count)

    def mark(view: View) -> View:
        vars(view)["limits"] = (*getattr(view, "limits", ()), counted)
        return view

    return mark


limit_registrations = limit("registrations", "200 per hour")
limit_logins = limit("logins", "120 per minute")
limit_provider = limit("provider", "120 per minute", methods=("GET", "POST"))
limit_guesses = limit("guesses", "10 per minute; 20 per hour", guessed)
limit_invitations = limit("invitations", "10 per minute; 60 per hour", uploader)
limit_resets = limit("resets", "30 per minute; 200 per hour")
limit_confirmations = limit("confirmations", "10 per minute; 60 per hour", uploader)
limit_downloads = limit("downloads", "3 per minute; 20 per hour", uploader)
limit_uploads = limit("uploads", "20 per minute; 300 per hour", uploader)


def count_early(app: Flask) -> None:
    """Count requests before views. Call it before anything that reads the body, such as the check of a form's token."""
    limiter.init_app(app)
    app.before_request(_count)


def _count() -> None:
    limits = getattr(current_app.view_functions.get(request.endpoint or ""), "limits", ())
    if limits:
        viewer()  # a failing database must not be taken for a failing storage of the counts
        g.limits = []
        for count in limits:
            try:
                count()
            finally:
                g.limits += limiter.current_limits


def storage(broker_url: str | None) -> str:
    """URI of the storage of the counts: the broker if there is one, so that several web servers share them."""
    return (broker_url or "memory://").replace("redis+socket:", "redis+unix:")


def patience(broker_url: str | None) -> dict[str, float]:
    """Timeouts in seconds after which a request counts in this process instead of in the storage."""
    return {"socket_connect_timeout": 0.5, "socket_timeout": 0.5} if broker_url else {}
