"""Passwords: which are allowed, and their hashes."""

import secrets
from functools import cache
from typing import Final

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError

from arena.games.errors import Refused
from arena.services.base.names import key
from arena.words import _

SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 200
WEAKEST: Final = 2
"""Lowest score of zxcvbn, 0 to 4, that is allowed. Passwords with a lower one are guessed within a million attempts:
common ones, repetitions, rows of keys and dates."""
ESTIMATED: Final = 64
"""Number of characters that zxcvbn looks at. The time that it takes grows with the cube of their number."""

_hasher: Final = PasswordHasher()


def check_password(password: str, name: str) -> None:
    """Raise `Refused` unless this may be the password of the account with this name."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        values = {"least": SHORTEST_PASSWORD, "most": LONGEST_PASSWORD}
        raise Refused(_("The password must have %(least)s to %(most)s characters.", **values))
    if key(password) == key(name):
        raise Refused(_("The password must not be your name."))
    if _score(password, name) < WEAKEST:
        raise Refused(
            _("This password is easy to guess: it is common, or repeats itself. A few unrelated words are better.")
        )


def hash_of(password: str) -> str:
    """Return the Argon2 hash of a password."""
    return _hasher.hash(password)


def matches(hashed: str | None, password: str) -> bool:
    """Return whether this is the password of a hash. Without a hash the answer is no, after the same time."""
    try:
        return _hasher.verify(hashed or _decoy(_hasher), password) and hashed is not None
    except VerificationError:
        return False


def is_hash(stored: str) -> bool:
    """Return whether this is a hash that passwords can be compared with."""
    try:
        extract_parameters(stored)
    except InvalidHashError:
        return False
    return True


def _score(password: str, name: str) -> int:
    from zxcvbn_rs_py import zxcvbn  # its lists of words take 9 MB, which few processes need

    return int(zxcvbn(password[:ESTIMATED], [name, "suit", "arena", "suitarena"]).score)


@cache
def _decoy(hasher: PasswordHasher) -> str:
    return hasher.hash(secrets.token_urlsafe(12))
