"""Rows of accounts that several modules share."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.languages import language
from arena.services.base.names import is_name, key
from arena.words import ENGLISH, N_, Language, _

ROLES: Final = {"member": N_("member"), "organiser": N_("organiser"), "administrator": N_("administrator")}
"""Words for the roles, in sentences."""
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
        raise NotFound(_("There is no account %(name)s.", name=name))
    return user


def language_of(user: User) -> Language:
    """Return the language of mails and notices to a user."""
    return language(user.language or ENGLISH.tag)


def role(user: User) -> str:
    """Return the role of a user: administrator, organiser or member."""
    return "administrator" if user.is_admin else "organiser" if user.is_organiser else "member"


def check_enabled(user: User) -> None:
    """Raise `Refused`, with the reason, if an administrator disabled the account."""
    if user.disabled is not None:
        raise Refused(_("This account is disabled: %(reason)s", reason=user.disabled))


def neutral_name(user_id: int) -> str:
    """Return the name of a deleted account. Nobody can register it, because it has spaces."""
    return f"deleted member {user_id}"
