"""Accounts: register, log in, and the first administrator."""

import hashlib
import secrets
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.models import User
from arena.games.errors import NotFound, Refused
from arena.services.context import Arena
from arena.services.names import check_name, is_name, key
from arena.services.shapes import Account

ADMIN: Final = "admin"
HOUSE: Final = "house"
"""The account that owns the house bots. Nobody can log in to it."""
RESERVED: Final = frozenset({ADMIN, HOUSE})
SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200

_hasher: Final = PasswordHasher()


def register(arena: Arena, name: str, password: str) -> Account:
    """A new account. Raises Refused."""
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
    """The account of that name, if the password is its own. Raises Refused, which does not tell what was wrong."""
    with arena.reading() as session:
        user = session.scalar(select(User).where(User.name_key == key(name))) if is_name(name) else None
    if not _matches(user.password if user else None, password) or user is None:
        raise Refused("The name or the password is wrong.")
    return _account(user)


def account(arena: Arena, id: int) -> Account | None:
    """The account of that id."""
    with arena.reading() as session:
        user = session.get(User, id)
    return _account(user) if user else None


def operator(arena: Arena) -> Account:
    """Who acts where somebody works on the machine itself: the first administrator. Raises NotFound."""
    with arena.reading() as session:
        user = session.scalar(select(User).where(User.is_admin).order_by(User.id).limit(1))
    if user is None:
        raise NotFound("There is no administrator. Make one: arena migrate")
    return _account(user)


def ensure_admin(arena: Arena) -> str | None:
    """Make the administrator's account where there is none: its password, which is told this once."""
    password = secrets.token_urlsafe(12)
    hashed = _hash(password)
    with arena.transaction() as session:
        if session.scalar(select(User.id).where(User.is_admin)):
            return None
        session.add(User(name=ADMIN, name_key=ADMIN, password=hashed, is_admin=True))
    return password


def set_password(arena: Arena, name: str, password: str | None = None) -> str:
    """Give an account a new password, a random one where none is given, and tell it. Raises NotFound."""
    password = password or secrets.token_urlsafe(12)
    hashed = _hash(password)
    with arena.transaction() as session:
        _person(session, name).password = hashed
    return password


def set_admin(arena: Arena, name: str, admin: bool) -> None:
    """Make an account an administrator's, or an ordinary one. Raises NotFound, and Refused for the last one of them."""
    with arena.transaction() as session:
        person = _person(session, name)
        others = session.scalar(select(User.id).where(User.is_admin, User.id != person.id).limit(1))
        if not admin and others is None:
            raise Refused(f"{person.name} is the only administrator; make somebody else one first.")
        person.is_admin = admin


def _person(session: Session, name: str) -> User:
    user = session.scalar(select(User).where(User.name_key == key(name)))
    if user is None or user.name_key == HOUSE:
        raise NotFound(f"There is no account {name}.")
    return user


def _matches(hashed: str | None, password: str) -> bool:
    # An unknown name costs as much time as a known one, so that the time does not tell which names there are.
    try:
        return _hasher.verify(hashed or _nobody(), password) and hashed is not None
    except VerificationError:
        return False


def _hash(password: str) -> str:
    return _hasher.hash(password)


@cache
def _nobody() -> str:
    return _hash(secrets.token_urlsafe(12))


def _account(user: User) -> Account:
    stamp = hashlib.sha256((user.password or "").encode()).hexdigest()[:16]
    return Account(user.id, user.name, user.is_admin, stamp)
