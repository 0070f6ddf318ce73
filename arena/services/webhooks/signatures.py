"""Signatures of deliveries, after Standard Webhooks (https://www.standardwebhooks.com).

The format is a few lines over the standard library's HMAC; the reference library would bring an HTTP client of its own.
"""

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from binascii import Error
from typing import Final

PREFIX: Final = "whsec_"
KEY_BYTES: Final = 32


def new_secret() -> str:
    """Return a new random secret."""
    return PREFIX + b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def is_secret(text: str) -> bool:
    """Return whether a text is a secret."""
    try:
        return text.startswith(PREFIX) and len(b64decode(text.removeprefix(PREFIX), validate=True)) == KEY_BYTES
    except Error:
        return False


def headers(secret: str, id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers that identify and sign a delivery."""
    key = b64decode(secret.removeprefix(PREFIX))
    signed = hmac.digest(key, b".".join((id.encode(), str(timestamp).encode(), body)), hashlib.sha256)
    signature = f"v1,{b64encode(signed).decode()}"
    return {"webhook-id": id, "webhook-timestamp": str(timestamp), "webhook-signature": signature}
