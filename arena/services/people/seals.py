"""Sealed answers: texts that the database keeps, and that only the requester and the arena together can read."""

import base64
import hmac
import json
from collections.abc import Mapping
from typing import Any

from arena.games.errors import Conflict
from arena.settings import Settings
from arena.words import _


class Unreadable(Conflict):
    """An answer that was sealed for another requester."""


def seal(settings: Settings, secret: str, answer: Mapping[str, Any]) -> dict[str, str]:
    """Return an answer that can be read with the same secret only, such as the requester's token."""
    return {"sealed": _box(settings, secret).encrypt(json.dumps(answer).encode()).decode()}


def unseal(settings: Settings, secret: str, sealed: Mapping[str, str]) -> dict[str, Any]:
    """Return the answer that was sealed. Raises `Unreadable` with another secret."""
    from cryptography.fernet import InvalidToken

    try:
        answer: dict[str, Any] = json.loads(_box(settings, secret).decrypt(sealed["sealed"]))
    except InvalidToken:
        raise Unreadable(
            _("The first request had its effect, and only its own token or session may see the answer.")
        ) from None
    return answer


def _box(settings: Settings, secret: str) -> Any:
    from cryptography.fernet import Fernet  # imported where it is needed: few processes of the arena ever do

    return Fernet(base64.urlsafe_b64encode(hmac.digest(settings.secret_key.encode(), secret.encode(), "sha256")))
