"""Accounts: registration, login, passwords, and administrators."""

import secrets
from dataclasses import replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.models import User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account, check_admin
from arena.services.base.context import Arena
from arena.services.base.languages import NAMES
from arena.services.base.names import check_name
from arena.services.base.names import key as name_key
from arena.services.people import audit, invitations, keys, repeats
from arena.services.people.links import end_links
from arena.services.people.passwords import check_password, hash_of, matches
from arena.services.people.rows import HOUSE, account_of, check_enabled, member_named, user_named
from arena.services.people.sessions import end_sessions
from arena.words import N_, _, spoken

ADMIN: Final = "admin"
RESERVED: Final = frozenset({ADMIN, HOUSE})
"""Names that users cannot register."""
TAKEN: Final = N_("The name %(name)s is taken; please choose another one.")


def register(arena: Arena, name: str, password: str, invitation: str | None = None, key: str = "") -> Account:
    """Create an account, with the token of an invitation if there is one.

    A request that is sent again with the same `key`, which only its sender knows, returns the account that the first
    one created. Raises `Refused` if the name or password is not allowed, the name is taken, or the person may not
    register; and `NotFound` if there is no such invitation.
    """
    try:
        return _register(arena, name, password, invitation, key)
    except (Refused, NotFound):
        with arena.reading() as session:
            user = user_named(session, name)
            if user is None or not key or not repeats.remembered(session, user.id, key):
                raise
        return account_of(user)


def _register(arena: Arena, name: str, password: str, invitation: str | None, key: str) -> Account:
    invitations.check_registration(arena.settings, bool(invitation))
    check_password(password, name)
    user = new_user(name, password)
    try:
        with arena.transaction() as session:
            admitted = invitations.admit(session, invitation)
            session.add(user)
            session.flush()
            invitations.use(session, admitted, user.id)
            if key:
                repeats.remember(session, user.id, key)
    except IntegrityError:
        raise Refused(_(TAKEN, name=name)) from None
    return account_of(user)


def try_out(arena: Arena) -> Account:
    """Create an organiser's account of a demo, without a password. Raises `NotFound` in other arenas."""
    if not arena.settings.demo:
        raise NotFound(_("This arena is not a demo."))
    user = new_user(f"guest-{secrets.token_hex(4)}", None)
    user.is_organiser = True
    with arena.transaction() as session:
        session.add(user)
        session.flush()
    return account_of(user)


def new_user(name: str, password: str | None) -> User:
    """Return an account in the present language, not yet stored. Raises `Refused` if the name is not allowed."""
    check_name(name, "name")
    if name_key(name) in RESERVED:
        raise Refused(_(TAKEN, name=name))
    hashed = None if password is None else hash_of(password)
    return User(name=name, name_key=name_key(name), password=hashed, language=spoken().tag)


def log_in(arena: Arena, name: str, password: str) -> Account:
    """Return the account with this name and password. Raises `Refused`, without saying which of them is wrong.

    With both right, a disabled account gets the reason.
    """
    with arena.reading() as session:
        user = user_named(session, name)
    if not matches(user.password if user else None, password) or user is None:
        raise Refused(_("The name or the password is wrong."))
    check_enabled(user)
    return account_of(user)


def account(arena: Arena, id: int) -> Account | None:
    """Return the account with this ID; None if there is none, or it is disabled."""
    with arena.reading() as session:
        user = session.get(User, id)
    return account_of(user) if user and user.disabled is None else None


def id_of(arena: Arena, name: str) -> int:
    """Return the ID of the account with this name, in any case. Raises `NotFound`."""
    with arena.reading() as session:
        return member_named(session, name).id


def operator(arena: Arena) -> Account:
    """Return the account that commands run on the server act for: the first administrator. Raises `NotFound`."""
    with arena.reading() as session:
        able = select(User).where(User.is_admin, User.disabled.is_(None))
        user = session.scalar(able.order_by(User.id).limit(1))
    if user is None:
        raise NotFound(_("There is no administrator. To create one, run: arena migrate"))
    return replace(account_of(user), by_command=True)


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


def reset_password(arena: Arena, actor: Account, name: str) -> str:
    """Give an account a new random password, and return it. Its sessions and tokens end.

    Raises `NotFound` and `Refused`.
    """
    check_admin(actor)
    password = secrets.token_urlsafe(12)
    hashed = hash_of(password)
    with arena.transaction() as session:
        user = member_named(session, name)
        set_password(session, user, hashed)
        audit.note(session, actor, "reset a password", f"member {user.name}")
    return password


def confirm(arena: Arena, account: Account, password: str) -> None:
    """Raise `Refused` unless this is the account's password: a grave change needs more than an open session."""
    with arena.reading() as session:
        stored = session.get_one(User, account.id).password
    if stored is None:
        raise Refused(_("Set a password first; this change needs one."))
    if not matches(stored, password):
        raise Refused(_("Your present password is wrong."))


def choose_language(arena: Arena, account: Account, tag: str) -> None:
    """Send mails and notices to an account in this language from now on. Raises `NotFound` if there is none."""
    if tag not in NAMES:
        raise NotFound(_("There is no language %(tag)s.", tag=tag[:20]))
    with arena.transaction() as session:
        session.get_one(User, account.id).language = tag


def has_password(arena: Arena, account: Account) -> bool:
    """Return whether an account has a password. One that an identity was registered with may have none."""
    with arena.reading() as session:
        return session.get_one(User, account.id).password is not None


def change_password(arena: Arena, account: Account, present: str, new: str) -> None:
    """Give an account a new password, or its first; all its sessions, tokens and reset links end.

    Raises `Refused` if its present password is wrong or the new one is not allowed.
    """
    if has_password(arena, account):
        confirm(arena, account, present)
    check_password(new, account.name)
    hashed = hash_of(new)
    with arena.transaction() as session:
        set_password(session, session.get_one(User, account.id), hashed)


def set_password(session: Session, user: User, hashed: str) -> None:
    """Give a user the password with this hash; all sessions, tokens and links to the account end."""
    user.password = hashed
    end_sessions(session, user.id)
    keys.revoke_all(session, user.id)
    end_links(session, user.id)
