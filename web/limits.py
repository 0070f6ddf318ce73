"""Rate limits of costly requests.

The limits per address leave room for a class of thirty behind one router; the limits per name or account slow down
password guessing and floods of uploads.
"""

from flask import request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from web.session import viewer

limiter = Limiter(get_remote_address, in_memory_fallback_enabled=True, key_prefix="arena-web")
"""Counts in this process while the shared storage is unreachable."""


def guess() -> str:
    """Key of log-in attempts: account name and address, so that attempts from elsewhere cannot lock the owner out."""
    return f"guess:{get_remote_address()}:{request.form.get('name', '').strip().casefold()}"


def uploader() -> str:
    """Key of uploads and invitations: the account, or the address of a visitor."""
    account = viewer()
    return get_remote_address() if account is None else f"account:{account.id}"


limit_registrations = limiter.limit("200 per hour", methods=["POST"])
limit_logins = limiter.limit("120 per minute", methods=["POST"])
limit_provider = limiter.limit("120 per minute")
limit_guesses = limiter.limit("10 per minute; 100 per hour", methods=["POST"], key_func=guess)
limit_invitations = limiter.limit("10 per minute; 60 per hour", methods=["POST"], key_func=uploader)
limit_resets = limiter.limit("30 per minute; 200 per hour", methods=["POST"])
limit_confirmations = limiter.limit("10 per minute; 60 per hour", methods=["POST"], key_func=uploader)
limit_downloads = limiter.limit("3 per minute; 20 per hour", methods=["POST"], key_func=uploader)
limit_uploads = limiter.limit("20 per minute; 300 per hour", methods=["POST"], key_func=uploader)


def storage(broker_url: str | None) -> str:
    """URI of the storage of the counts: the broker if there is one, so that several web servers share them."""
    return (broker_url or "memory://").replace("redis+socket:", "redis+unix:")


def patience(broker_url: str | None) -> dict[str, float]:
    """Timeouts in seconds after which a request counts in this process instead of in the storage."""
    return {"socket_connect_timeout": 0.5, "socket_timeout": 0.5} if broker_url else {}
