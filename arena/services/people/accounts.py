"""Accounts: registration, login, passwords, and administrators."""

import secrets
from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from arena.db.models import User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.names import check_name, key
from arena.services.people import invitations
from arena.services.people.passwords import check_password, hash_of, matches
from arena.services.people.rows import HOUSE, account_of, member_named, user_named
from arena.services.people.sessions import end_sessions

ADMIN: Final = "admin"
RESERVED: Final = frozenset({ADMIN, HOUSE})
"""Names that users cannot register."""


def register(arena: Arena, name: str, password: str, invitation: str | None = None) -> Account:
    """Create an account, with the token of an invitation if there is one.

    Raises `Refused` if the name or password is not allowed, the name is taken, or the person may not register; and
    `NotFound` if there is no such invitation.
    """
    invitations.check_registration(arena.settings, invitation)
    check_name(name, "name")
    check_password(password, name)
    if key(name) in RESERVED:
        raise Refused(f"The name {name} is taken; please choose another one.")
    user = User(name=name, name_key=key(name), password=hash_of(password))
    try:
        with arena.transaction() as session:
            admitted = invitations.admit(session, invitation)
            session.add(user)
            session.flush()
            invitations.use(session, admitted, user.id)
    except IntegrityError:
        raise Refused(f"The name {name} is taken; please choose another one.") from None
    return account_of(user)


def log_in(arena: Arena, name: str, password: str) -> Account:
    """Return the account with this name and password. Raises `Refused`, without saying which of them is wrong."""
    with arena.reading() as session:
        user = user_named(session, name)
    if not matches(user.password if user else None, password) or user is None:
        raise Refused("The name or the password is wrong.")
    return account_of(user)


def account(arena: Arena, id: int) -> Account | None:
    """Return the account with this ID, or None."""
    with arena.reading() as session:
        user = session.get(User, id)
    return account_of(user) if user else None


def operator(arena: Arena) -> Account:
    """Return the account that commands run on the server act for: the first administrator. Raises `NotFound`."""
    with arena.reading() as session:
        user = session.scalar(select(User).where(User.is_admin).order_by(User.id).limit(1))
    if user is None:
        raise NotFound("There is no administrator. To create one, run: arena migrate")
    return account_of(user)


def ensure_admin(arena: Arena) -> str | None:
    """Create the administrator's account if there is no administrator.

    Returns its password, which is not stored and cannot be shown again; None if an administrator exists.
    """
    password = secrets.token_urlsafe(12)
    hashed = hash_of(password)
    with arena.transaction() as session:
        if session.scalar(select(User.id).where(User.is_admin)):
            return None
        session.add(User(name=ADMIN, name_key=ADMIN, password=hashed, is_admin=True))
    return password


def reset_password(arena: Arena, name: str) -> str:
    """Give an account a new random password, and return it; its sessions end. Raises `NotFound`."""
    password = secrets.token_urlsafe(12)
    hashed = hash_of(password)
    with arena.transaction() as session:
        user = member_named(session, name)
        user.password = hashed
        end_sessions(session, user.id)
    return password


def set_admin(arena: Arena, name: str, admin: bool) -> None:
    """Grant or revoke administrator rights. Raises `NotFound`, and `Refused` for the last administrator."""
    with arena.transaction() as session:
        user = member_named(session, name)
        others = session.scalar(select(User.id).where(User.is_admin, User.id != user.id).limit(1))
        if not admin and others is None:
            raise Refused(f"{user.name} is the only administrator; appoint another one first.")
        user.is_admin = admin
