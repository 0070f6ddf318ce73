"""Rate limits of costly requests, counted before a request's body is read.

The limits per address leave room for a class of thirty behind one router; the limits per account slow down password
guessing and floods of uploads. Keys are hashed into a fixed number of classes, so that no client decides how much
memory the counts need.
"""

import hashlib
from collections.abc import Callable, Sequence
from ipaddress import IPv6Address, ip_address
from typing import Any, Final, TypeVar

from flask import Flask, Response, current_app, g, request
from flask_limiter import Limiter, RateLimitExceeded
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException

from arena.services.base.names import key
from web.serving import devices
from web.serving.session import viewer
from web.serving.waiting import waits_again

NETWORK: Final = 64
"""Bits of an IPv6 address that count as one address: a household or a rented server has all the rest."""
SITE: Final = 48
"""Bits of an IPv6 address that count as one where more addresses would give more guesses: many have such a network."""
CLASS_BYTES: Final = 2
"""Bytes of a hashed key, which makes 65,536 counts for each limit."""


View = TypeVar("View", bound=Callable[..., Any])


def network(address: str | None, bits: int = NETWORK) -> str:
    """Return the client that an address stands for: itself, or for IPv6 the network of this many bits."""
    try:
        parsed = ip_address(address or "")
    except ValueError:  # a socket of this machine, or what a trusted proxy wrote
        return "unknown"
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> (128 - bits) << (128 - bits))}/{bits}"


def hashed(text: str) -> str:
    """Return the class of a key. Only the arena can tell which keys share one."""
    secret = hashlib.sha256(str(current_app.secret_key).encode()).digest()
    return hashlib.blake2b(text.encode(errors="replace"), key=secret, digest_size=CLASS_BYTES).hexdigest()


def client() -> str:
    """Key of the address of the request."""
    return f"address:{hashed(network(request.remote_addr))}"


def _field(name: str) -> str:
    """Return a field of the form."""
    try:
        return request.form.get(name, "").strip()
    except HTTPException:  # the body is too large; whoever reads it next says so
        return ""


def _tried() -> str:
    """Return the name of the account that a log-in tries."""
    return key(_field("name"))


def guessed() -> str:
    """Key of a log-in: the account that is tried."""
    return f"account:{hashed(_tried())}"


def _browser() -> str:
    """Key of a log-in from a browser that the account knows."""
    return f"device:{hashed(devices.known(_tried()) or '')}"


def _guesser(bits: int = NETWORK) -> str:
    """Key of a log-in: the account that is tried, and the address of the request."""
    return f"guesser:{hashed(f'{_tried()} {network(request.remote_addr, bits)}')}"


def _mailbox() -> str:
    """Key of a form that sends mail: the mailbox that gets it, whatever follows a plus sign in its name."""
    name, _, host = _field("email").lower().rpartition("@")
    return f"mailbox:{hashed(name.partition('+')[0] + '@' + host)}"


def _mailed(_: Response) -> bool:
    """Return whether the request sent a mail."""
    return bool(g.get("mailed"))


def _refused(response: Response) -> bool:
    """Return whether a form was refused, as it is with a wrong password."""
    return response.status_code == 400


def uploader() -> str:
    """Key of uploads and invitations: the account, or the address of a visitor."""
    account = viewer()
    return client() if account is None else f"account:{account.id}"


limiter: Final = Limiter(client, in_memory_fallback_enabled=True, key_prefix="arena-web")
"""Counts in this process while the shared storage is unreachable."""


def _counter(
    name: str,
    value: str | Callable[[], str],
    by: Callable[[], str] = client,
    methods: Sequence[str] = ("POST",),
    counted: Callable[[Response], bool] | None = None,
) -> Callable[[], None]:
    """Return a function that counts a request and raises 429 if the limit is reached.

    With `counted`, a request counts if that is true of its response.
    """

    def count() -> None:
        """Do nothing more."""

    count.__qualname__ = name  # Flask-Limiter tells functions apart by their names
    return limiter.limit(value, methods=list(methods), key_func=by, deduct_when=counted)(count)


def _limited(count: Callable[[], None]) -> Callable[[View], View]:
    """Return a decorator of views whose requests are counted."""

    def mark(view: View) -> View:
        vars(view)["limits"] = (*getattr(view, "limits", ()), count)
        return view

    return mark


def limit(
    name: str, value: str | Callable[[], str], by: Callable[[], str] = client, methods: Sequence[str] = ("POST",)
) -> Callable[[View], View]:
    """Return a decorator of views whose requests, by default only of forms, are limited by a key."""
    return _limited(_counter(name, value, by, methods))


_guess_in_browser = _counter("guesses in a browser", "10 per minute; 20 per hour", _browser)
_first_failure = _counter("first failures", "1 per day", lambda: _guesser(SITE), counted=_refused)
_first_guess = _counter("first guesses", "40 per hour", guessed)
_next_guess_here = _counter("next guesses of an address", "9 per hour", _guesser)
_next_guess = _counter("next guesses", "20 per hour", guessed)


def _count_guess() -> None:
    """Count an attempt to log in. Raises 429 if there were too many.

    Log-ins from addresses that have not failed are counted by themselves, so that one stranger who guesses does not
    keep the owner out; there are few of them, because every address of a distributed attack begins as one.
    """
    if devices.known(_tried()):
        _guess_in_browser()
        return
    try:
        _first_failure()
    except RateLimitExceeded:
        _next_guess_here()
        _next_guess()
    else:
        _first_guess()


limit_guesses = _limited(_count_guess)
limit_failures = _limited(_counter("failures", "300 per hour", counted=_refused))
limit_registrations = limit("registrations", "200 per hour")
limit_logins = limit("logins", "120 per minute")
limit_provider = limit("provider", "120 per minute", methods=("GET", "POST"))
limit_invitations = limit("invitations", "10 per minute; 60 per hour", uploader)
limit_resets = limit("resets", "30 per minute; 200 per hour")
limit_confirmations = limit("confirmations", "10 per minute; 60 per hour", uploader)
limit_mails = _limited(_counter("mails", "5 per day", uploader, counted=_mailed))
limit_mailboxes = _limited(_counter("mailboxes", "3 per day", _mailbox, counted=_mailed))
limit_downloads = limit("downloads", "3 per minute; 20 per hour", uploader)
limit_analyses = limit("analyses", "20 per minute; 100 per hour", uploader)
limit_uploads = limit("uploads", "20 per minute; 300 per hour", uploader)


def count_early(app: Flask) -> None:
    """Count requests before views. Call it before anything that reads the body, such as the check of a form's token.

    The operator's own commands have no limits.
    """
    if app.extensions["operator"]:
        return
    limiter.init_app(app)
    app.before_request(_count)


def _count() -> None:
    if waits_again():
        return
    limits = getattr(current_app.view_functions.get(request.endpoint or ""), "limits", ())
    if limits:
        viewer()  # a failing database must not be taken for a failing storage of the counts
        g.limits = []
        for count in limits:
            try:
                _counted(count)
            finally:
                g.limits += limiter.current_limits


def _counted(count: Callable[[], object]) -> None:
    """Count a request; in this process if another one has just found that the shared storage does not answer."""
    try:
        count()
    except RedisError:
        count()


def storage(broker_url: str | None) -> str:
    """URI of the storage of the counts: the broker if there is one, so that several web servers share them."""
    return (broker_url or "memory://").replace("redis+socket:", "redis+unix:")


def patience(broker_url: str | None) -> dict[str, float]:
    """Timeouts in seconds after which a request counts in this process instead of in the storage."""
    return {"socket_connect_timeout": 0.5, "socket_timeout": 0.5} if broker_url else {}
