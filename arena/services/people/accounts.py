"""Accounts: registration, login, passwords, and administrators."""

import hashlib
import secrets
from functools import cache
from typing import Final

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.models import User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.names import check_name, is_name, key
from arena.services.people import invitations

ADMIN: Final = "admin"
HOUSE: Final = "house"
"""Name of the account that owns the house bots. It has no password, so no one can log in to it."""
RESERVED: Final = frozenset({ADMIN, HOUSE})
"""Names that users cannot register."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200

_hasher: Final = PasswordHasher()


def register(arena: Arena, name: str, password: str, invitation: str | None = None) -> Account:
    """Create an account, with the token of an invitation if there is one.

    Raises `Refused` if the name or password is not allowed, the name is taken, or the person may not register; and
    `NotFound` if there is no such invitation.
    """
    invitations.check_registration(arena.settings, invitation)
    check_name(name, "name")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise Refused(f"The password must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.")
    if key(name) in RESERVED:
        raise Refused(f"The name {name} is taken; please choose another one.")
    user = User(name=name, name_key=key(name), password=_hash(password))
    try:
        with arena.transaction() as session:
            admitted = invitations.admit(session, invitation)
            session.add(user)
            session.flush()
            invitations.use(session, admitted, user.id)
    except IntegrityError:
        raise Refused(f"The name {name} is taken; please choose another one.") from None
    return _account(user)


def log_in(arena: Arena, name: str, password: str) -> Account:
    """Return the account with this name and password. Raises `Refused`, without saying which of them is wrong."""
    with arena.reading() as session:
        user = session.scalar(select(User).where(User.name_key == key(name))) if is_name(name) else None
    if not _matches(user.password if user else None, password) or user is None:
        raise Refused("The name or the password is wrong.")
    return _account(user)


def account(arena: Arena, id: int) -> Account | None:
    """Return the account with this ID, or None."""
    with arena.reading() as session:
        user = session.get(User, id)
    return _account(user) if user else None


def id_of(arena: Arena, name: str) -> int:
    """Return the ID of the account with this name, in any case. Raises `NotFound`."""
    with arena.reading() as session:
        return _user(session, name).id


def operator(arena: Arena) -> Account:
    """Return the account that commands run on the server act for: the first administrator. Raises `NotFound`."""
    with arena.reading() as session:
        user = session.scalar(select(User).where(User.is_admin).order_by(User.id).limit(1))
    if user is None:
        raise NotFound("There is no administrator. To create one, run: arena migrate")
    return _account(user)


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


def reset_password(arena: Arena, name: str) -> str:
    """Give an account a new random password, and return it. Raises `NotFound`."""
    password = secrets.token_urlsafe(12)
    hashed = _hash(password)
    with arena.transaction() as session:
        _user(session, name).password = hashed
    return password


def set_admin(arena: Arena, name: str, admin: bool) -> None:
    """Grant or revoke administrator rights. Raises `NotFound`, and `Refused` for the last administrator."""
    with arena.transaction() as session:
        user = _user(session, name)
        others = session.scalar(select(User.id).where(User.is_admin, User.id != user.id).limit(1))
        if not admin and others is None:
            raise Refused(f"{user.name} is the only administrator; appoint another one first.")
        user.is_admin = admin


def is_hash(stored: str) -> bool:
    """Return whether this is a hash that passwords can be compared with."""
    try:
        extract_parameters(stored)
    except InvalidHashError:
        return False
    return True


def _user(session: Session, name: str) -> User:
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
