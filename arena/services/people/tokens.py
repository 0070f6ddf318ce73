"""Random tokens, of which the database stores only a hash."""

import hashlib
import re
import secrets


def new_token() -> str:
    """Return a random token, safe in cookies and URLs."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """Return the hash under which a token is stored. A fast one: a token cannot be guessed."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def is_token_hash(stored: str) -> bool:
    """Return whether this may be the hash of a token."""
    return re.fullmatch("[0-9a-f]{64}", stored) is not None
