"""Rows of accounts that several modules share."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.names import is_name, key

HOUSE: Final = "house"
"""Name of the account that owns the house bots. It has no password, so no one can log in to it."""


def account_of(user: User) -> Account:
    """Return a user's account."""
    return Account(user.id, user.name, user.is_admin, user.is_organiser)


def user_named(session: Session, name: str) -> User | None:
    """Return the user with this name, or None."""
    return session.scalar(select(User).where(User.name_key == key(name))) if is_name(name) else None


def member_named(session: Session, name: str) -> User:
    """Return the user with this name. Raises `NotFound`, for the house account as well."""
    user = user_named(session, name)
    if user is None or user.name_key == HOUSE:
        raise NotFound(f"There is no account {name}.")
    return user


def role(user: User) -> str:
    """Return the role of a user: administrator, organiser or member."""
    return "administrator" if user.is_admin else "organiser" if user.is_organiser else "member"


def check_enabled(user: User) -> None:
    """Raise `Refused`, with the reason, if an administrator disabled the account."""
    if user.disabled is not None:
        raise Refused(f"This account is disabled: {user.disabled}")


def neutral_name(user_id: int) -> str:
    """Return the name of a deleted account. Nobody can register it, because it has spaces."""
    return f"deleted member {user_id}"
