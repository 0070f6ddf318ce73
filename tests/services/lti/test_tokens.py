"""Tokens of the arena for platforms."""

import time

from joserfc import jwt
from joserfc.jwk import RSAKey

from arena.db.models import LtiPlatform
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.lti import platforms, tokens


def test_token_is_valid_for_a_platform_whose_clock_is_behind(arena: Arena, admin: Account) -> None:
    """Open edX and Moodle refuse a token that was issued in their future, be it by a second."""
    urls = ("https://edx.example/auth", "https://edx.example/token", "https://edx.example/keys")
    made = platforms.add(arena, admin, platforms.Terms("Open edX", "https://edx.example", "arena", *urls, ("1",)))
    with arena.reading() as session:
        platform = session.get_one(LtiPlatform, made)
        key, token = RSAKey.import_key(platform.private_key), tokens.signed(platform, {"iss": "arena"})
    claims = jwt.decode(token, key, algorithms=["RS256"]).claims

    assert claims["iat"] <= time.time() - 20
    assert time.time() + 200 < claims["exp"] < claims["iat"] + 600
