"""Tokens with which the arena uses a platform's services: client credentials, with a signed assertion (RFC 7523)."""

import secrets
import time
from typing import Final
from urllib.parse import urlencode

from arena.db.models import LtiPlatform
from arena.games.errors import Refused
from arena.services.lti.asking import ask, json_of
from arena.settings import Settings
from arena.words import _

VALID: Final = 300
"""Seconds for which an assertion is valid."""
BEHIND: Final = 30
"""Seconds by which a platform's clock may be behind: Moodle and Open edX refuse a token from their future."""
ASSERTION: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def fetch(settings: Settings, platform: LtiPlatform, scope: str) -> str:
    """Return a token for a scope. Raises `Refused`."""
    asked = {
        "grant_type": "client_credentials", "client_assertion_type": ASSERTION, "scope": scope,
        "client_assertion": _assertion(platform),
    }  # fmt: skip
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    found = json_of(ask(settings, "POST", platform.token_url, urlencode(asked).encode(), form))
    token = found.get("access_token") if isinstance(found, dict) else None
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise Refused(_("The platform gave no access token."))
    return token


def signed(platform: LtiPlatform, claims: dict[str, object]) -> str:
    """Return claims that the arena signs for a platform."""
    from joserfc import jwt
    from joserfc.jwk import RSAKey

    key = RSAKey.import_key(platform.private_key)
    at = int(time.time())
    timed = {"iat": at - BEHIND, "exp": at + VALID, **claims}
    return jwt.encode({"alg": "RS256", "kid": key.kid}, timed, key, algorithms=["RS256"])


def _assertion(platform: LtiPlatform) -> str:
    me = platform.client_id
    return signed(platform, {"iss": me, "sub": me, "aud": platform.token_url, "jti": secrets.token_urlsafe(24)})
