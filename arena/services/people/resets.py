"""Links with which members choose a new password: made by an administrator, or sent by mail."""

from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import AccountLink, User
from arena.games.errors import NotFound
from arena.services.base.access import Account, check_admin
from arena.services.base.context import Arena
from arena.services.people import audit, links, mail
from arena.services.people.accounts import set_password
from arena.services.people.passwords import check_password, hash_of
from arena.services.people.quotas import lock_user
from arena.services.people.rows import account_of, check_enabled, language_of, member_named, user_named
from arena.settings import Settings
from arena.words import N_, _, speaking

MOST_MAILED: Final = 3
"""Number of links of an account that may wait when another one is asked for by mail."""

SUBJECT: Final = N_("Choose a new password")
TEXT: Final = N_("""\
Somebody, probably you, asked for a new password for the account %(name)s at %(site)s.
To choose one, open this link, once, within a day:

%(link)s

If you did not ask for it, ignore this mail: your password stays as it is.
""")
ENDED: Final = N_("This link has been used, or has ended after a day. Ask for another one.")


def make_link(arena: Arena, admin: Account | None, name: str) -> str:
    """Make a link for a member as an administrator, or for the server's operator if `admin` is None.

    Returns its address; only its path if `ARENA_URL` is not set. Raises `Refused` and `NotFound`.
    """
    if admin:
        check_admin(admin)
    with arena.transaction() as session:
        user = member_named(session, name)
        token = links.add(session, user.id)
        audit.note(session, admin, "made a link that resets a password", f"member {user.name}")
    return address(arena.settings, token)


def mail_link(arena: Arena, name: str) -> None:
    """Send a link to the member with this name. Does nothing if there is none, or none with a verified address.

    Nor does it if several links of the member wait already. Raises `ArenaFault` if the mail cannot be sent.
    """
    with arena.transaction() as session:
        user = user_named(session, name)
        if user is None or user.email is None or _waiting(session, user.id) >= MOST_MAILED:
            return
        link = address(arena.settings, links.add(session, user.id))
    with speaking(language_of(user)):
        text = _(TEXT, name=user.name, site=arena.settings.url, link=link)
        mail.send(arena.settings, user.email, _(SUBJECT), text)


def holder(arena: Arena, token: str) -> Account:
    """Return the account that a link is for. Raises `NotFound` if the link has ended or been used.

    Raises `Refused` if the account is disabled.
    """
    mine = (*links.living(token), AccountLink.email.is_(None))
    with arena.reading() as session:
        user = session.scalar(select(User).join(AccountLink, AccountLink.user_id == User.id).where(*mine))
    if user is None:
        raise NotFound(_(ENDED))
    check_enabled(user)
    return account_of(user)


def use(arena: Arena, token: str, password: str) -> Account:
    """Set the password of the account that a link is for; its sessions, tokens and links end.

    Returns the account. Raises `Refused` if the password is not allowed, and `NotFound` if the link has ended.
    """
    check_password(password, holder(arena, token).name)
    hashed = hash_of(password)
    used = delete(AccountLink).where(*links.living(token), AccountLink.email.is_(None))
    with arena.transaction() as session:
        user_id = session.scalar(used.returning(AccountLink.user_id))
        if user_id is None:  # used meanwhile
            raise NotFound(_(ENDED))
        user = session.get_one(User, user_id)
        set_password(session, user, hashed)
    return account_of(user)


def address(settings: Settings, token: str) -> str:
    """Return the address of a link; only its path if the public URL is not known."""
    return f"{settings.url or ''}/reset/{token}"


def _waiting(session: Session, user_id: int) -> int:
    lock_user(session, user_id)  # two requests must not both find room
    mine = (AccountLink.user_id == user_id, AccountLink.email.is_(None), AccountLink.ends > now())
    return session.scalars(select(func.count()).select_from(AccountLink).where(*mine)).one()
