"""How often one address, or one account, may do what costs something.

The limits per address leave room for a class of thirty behind one router; the limits per name or account are what
slows down somebody who guesses passwords or floods the validators.
"""

from flask import request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from web.session import viewer

limiter = Limiter(get_remote_address, in_memory_fallback_enabled=True, key_prefix="arena-web")
"""Falls back to counting in this process while the shared storage cannot be reached."""


def guess() -> str:
    """The account name that a log-in form names, and where it comes from: nobody elsewhere can lock its owner out."""
    return f"guess:{get_remote_address()}:{request.form.get('name', '').strip().casefold()}"


def uploader() -> str:
    """The account that uploads."""
    account = viewer()
    return get_remote_address() if account is None else f"account:{account.id}"


registering = limiter.limit("200 per hour", methods=["POST"])
logging_in = limiter.limit("120 per minute", methods=["POST"])
guessing = limiter.limit("10 per minute; 100 per hour", methods=["POST"], key_func=guess)
uploading = limiter.limit("20 per minute; 300 per hour", methods=["POST"], key_func=uploader)


def storage(broker_url: str | None) -> str:
    """Where the counts are kept: with the broker, where there is one, so that several web servers count together."""
    return (broker_url or "memory://").replace("redis+socket:", "redis+unix:")


def patience(broker_url: str | None) -> dict[str, float]:
    """How long, in seconds, a request waits for the storage before it counts in this process instead."""
    return {"socket_connect_timeout": 0.5, "socket_timeout": 0.5} if broker_url else {}
