"""Identities: accounts of OpenID Connect providers and of LTI platforms, each connected to one account of the arena."""

from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.db.models import User, UserIdentity
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people.accounts import TAKEN, new_user
from arena.services.people.rows import account_of, check_enabled
from arena.words import _


@dataclass(frozen=True)
class Identity:
    """An account at a provider, as the provider has just confirmed."""

    issuer: str
    subject: str
    name: str = ""
    """Name that the provider suggests; it may not be allowed here."""
    email: str = ""
    """Address that the provider has verified; empty if there is none."""


def find(arena: Arena, identity: Identity) -> Account | None:
    """Return the account that an identity is connected to, or None. Raises `Refused` if the account is disabled."""
    with arena.reading() as session:
        found = session.get(UserIdentity, (identity.issuer, identity.subject))
        user = session.get_one(User, found.user_id) if found else None
    if user is None:
        return None
    check_enabled(user)
    return account_of(user)


def register(arena: Arena, identity: Identity, name: str) -> Account:
    """Create an account without a password for an identity. Raises `Refused` if the name is not allowed or taken.

    The address that the provider has verified is stored if the arena sends mail.
    """
    user = new_user(name, None)
    if arena.settings.smtp_url:
        user.email = identity.email or None
    try:
        with arena.transaction() as session:
            session.add(user)
            session.flush()
            _connect(session, identity, user.id)
    except IntegrityError:
        raise Refused(_(TAKEN, name=name)) from None
    return account_of(user)


def connect(arena: Arena, account: Account, identity: Identity) -> None:
    """Let an identity log in to an account.

    Raises `Refused` if it logs in to another one, or the account has another identity of this provider.
    """
    holder = find(arena, identity)
    if holder is not None and holder.id == account.id:
        return
    try:
        with arena.transaction() as session:
            _connect(session, identity, account.id)
    except IntegrityError:
        raise Refused(
            _(
                "An account has one login at the provider, and a login belongs to one account: disconnect the present "
                "one first, or log in to the account that it belongs to."
            )
        ) from None


def disconnect(arena: Arena, account: Account, issuer: str) -> None:
    """Disconnect an account from its identity of an issuer. Raises `Refused` if it has no password to log in with."""
    with arena.transaction() as session:
        if session.get_one(User, account.id).password is None:
            raise Refused(_("Set a password first; otherwise you could not log in any more."))
        mine = (UserIdentity.user_id == account.id, UserIdentity.issuer == issuer)
        session.execute(delete(UserIdentity).where(*mine))


def issuers(arena: Arena, account: Account) -> frozenset[str]:
    """Return the issuers of an account's identities."""
    with arena.reading() as session:
        return frozenset(session.scalars(select(UserIdentity.issuer).where(UserIdentity.user_id == account.id)))


def _connect(session: Session, identity: Identity, user_id: int) -> None:
    session.add(UserIdentity(issuer=identity.issuer, subject=identity.subject, user_id=user_id))
