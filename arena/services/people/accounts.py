"""Accounts: registration, login, passwords, and administrators."""

import hashlib
import secrets
from dataclasses import replace
from functools import cache
from typing import Final

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.models import User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account, check_admin
from arena.services.base.context import Arena
from arena.services.base.names import check_name, is_name, key
from arena.services.people import audit

ADMIN: Final = "admin"
HOUSE: Final = "house"
"""Name of the account that owns the house bots. It has no password, so no one can log in to it."""
RESERVED: Final = frozenset({ADMIN, HOUSE})
"""Names that users cannot register."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200

_hasher: Final = PasswordHasher()


def register(arena: Arena, name: str, password: str) -> Account:
    """Create an account. Raises `Refused` if the name or password is not allowed, or the name is taken."""
    check_name(name, "name")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise Refused(f"The password must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.")
    if key(name) in RESERVED:
        raise Refused(f"The name {name} is taken; please choose another one.")
    user = User(name=name, name_key=key(name), password=_hash(password))
    try:
        with arena.transaction() as session:
            session.add(user)
    except IntegrityError:
        raise Refused(f"The name {name} is taken; please choose another one.") from None
    return _account(user)


def log_in(arena: Arena, name: str, password: str) -> Account:
    """Return the account with this name and password. Raises `Refused`, without saying which of them is wrong.

    With both right, a disabled account gets the reason.
    """
    with arena.reading() as session:
        user = session.scalar(select(User).where(User.name_key == key(name))) if is_name(name) else None
    if not _matches(user.password if user else None, password) or user is None:
        raise Refused("The name or the password is wrong.")
    if user.disabled is not None:
        raise Refused(f"This account is disabled: {user.disabled}")
    return _account(user)


def account(arena: Arena, id: int) -> Account | None:
    """Return the account with this ID; None if there is none, or it is disabled."""
    with arena.reading() as session:
        user = session.get(User, id)
    return _account(user) if user and user.disabled is None else None


def operator(arena: Arena) -> Account:
    """Return the account that commands run on the server act for: the first administrator. Raises `NotFound`."""
    with arena.reading() as session:
        able = select(User).where(User.is_admin, User.disabled.is_(None))
        user = session.scalar(able.order_by(User.id).limit(1))
    if user is None:
        raise NotFound("There is no administrator. To create one, run: arena migrate")
    return replace(_account(user), by_command=True)


def ensure_admin(arena: Arena) -> str | None:
    """Create the administrator's account if there is no administrator.

    Returns its password, which is not stored and cannot be shown again; None if an administrator exists.
    """
    password = secrets.token_urlsafe(12)
    hashed = _hash(password)
    with arena.transaction() as session:
        if session.scalar(select(User.id).where(User.is_admin)):
            return None
        session.add(User(name=ADMIN, name_key=ADMIN, password=hashed, is_admin=True))
    return password


def reset_password(arena: Arena, actor: Account, name: str) -> str:
    """Give an account a new random password, and return it. Raises `NotFound` and `Refused`."""
    check_admin(actor)
    password = secrets.token_urlsafe(12)
    hashed = _hash(password)
    with arena.transaction() as session:
        user = named(session, name)
        user.password = hashed
        audit.note(session, actor, "reset a password", f"member {user.name}")
    return password


def role(user: User) -> str:
    """Return the role of a user: administrator, organiser or member."""
    return "administrator" if user.is_admin else "organiser" if user.is_organiser else "member"


def is_hash(stored: str) -> bool:
    """Return whether this is a hash that passwords can be compared with."""
    try:
        extract_parameters(stored)
    except InvalidHashError:
        return False
    return True


def named(session: Session, name: str) -> User:
    """Return the member with this name. Raises `NotFound`."""
    user = session.scalar(select(User).where(User.name_key == key(name)))
    if user is None or user.name_key == HOUSE:
        raise NotFound(f"There is no account {name}.")
    return user


def _matches(hashed: str | None, password: str) -> bool:
    # An unknown name takes as long as a known one, so that timing does not reveal which names exist.
    try:
        return _hasher.verify(hashed or _decoy(), password) and hashed is not None
    except VerificationError:
        return False


def _hash(password: str) -> str:
    return _hasher.hash(password)


@cache
def _decoy() -> str:
    return _hash(secrets.token_urlsafe(12))


def _account(user: User) -> Account:
    stamp = hashlib.sha256((user.password or "").encode()).hexdigest()[:16]
    return Account(user.id, user.name, user.is_admin, user.is_organiser, stamp)
