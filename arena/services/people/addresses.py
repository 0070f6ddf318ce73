"""E-mail addresses of members. Mail goes only to an address that the member has verified.

A new address gets one mail, with a link. Until the member follows it, logged in to the account, the address belongs to
the link alone and the earlier one stays in use: a stranger at a mistyped address gets nothing, and can do nothing.
"""

from typing import Final, NamedTuple

from sqlalchemy import delete, select

from arena.db.clock import now
from arena.db.models import AccountLink, User
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.people import links, mail
from arena.services.people.accounts import confirm
from arena.services.people.links import end_links
from arena.services.people.notices import notify
from arena.services.people.rows import language_of
from arena.settings import is_address
from arena.words import N_, Language, _, speaking

SUBJECT: Final = N_("Verify your e-mail address")
TEXT: Final = N_("""\
Somebody, probably you, entered this address for the account %(name)s at %(site)s.
To verify it, open this link, once, within a day, logged in as %(name)s:

%(link)s

If it was not you, ignore this mail: nothing else is sent to this address.
""")
CHANGED_SUBJECT: Final = N_("Your e-mail address was changed")
CHANGED: Final = N_("""\
The account %(name)s at %(site)s has another e-mail address now, and nothing more is sent to this one.
If it was not you, ask an administrator of the arena for a link to a new password.
""")
ENDED: Final = N_(
    "This link has been used, has ended after a day, or belongs to another account. Enter the address again on your "
    "account page."
)


class Addresses(NamedTuple):
    """Addresses of an account, which only its owner may see."""

    email: str | None
    """Verified address, to which mail is sent; None if there is none."""
    unverified: str | None
    """Address that waits for its verification; None if there is none."""


def addresses(arena: Arena, account: Account) -> Addresses:
    """Return the addresses of an account."""
    waiting = select(AccountLink.email).where(AccountLink.user_id == account.id, AccountLink.ends > now())
    latest = waiting.where(AccountLink.email.is_not(None)).order_by(AccountLink.id.desc()).limit(1)
    with arena.reading() as session:
        return Addresses(session.get_one(User, account.id).email, session.scalar(latest))


def enter(arena: Arena, account: Account, password: str, email: str) -> str:
    """Let an address wait for its verification; return the token to pass to `send`. Earlier links end.

    Raises `Refused` if the present password is wrong, the address is not one, or the arena sends no mail.
    """
    if arena.settings.smtp_url is None:
        raise Refused(_("This arena sends no mail, so it stores no addresses."))
    if not is_address(email):
        raise Refused(_("%(email)s is not an e-mail address, such as ann@example.org.", email=email[:80]))
    confirm(arena, account, password)
    with arena.transaction() as session:
        end_links(session, account.id)
        return links.add(session, account.id, email)


def send(arena: Arena, account: Account, email: str, token: str) -> None:
    """Send the link that verifies an address to it. Raises `ArenaFault` if the mail cannot be sent."""
    site = arena.settings.url
    link = f"{site}/account/email/{token}"
    with speaking(_language(arena, account)):
        text = _(TEXT, name=account.name, site=site, link=link)
        mail.send(arena.settings, email, _(SUBJECT), text)


def remove(arena: Arena, account: Account, password: str) -> None:
    """Remove the addresses of an account; its links end. Raises `Refused` if the present password is wrong."""
    confirm(arena, account, password)
    with arena.transaction() as session:
        session.get_one(User, account.id).email = None
        end_links(session, account.id)


def verified_by(arena: Arena, account: Account, token: str) -> str:
    """Return the address that a link of the account verifies. Raises `NotFound` if there is no such link any more."""
    with arena.reading() as session:
        email = session.scalar(select(AccountLink.email).where(*links.living(token), AccountLink.user_id == account.id))
    if email is None:
        raise NotFound(_(ENDED))
    return email


def verify(arena: Arena, account: Account, token: str) -> str | None:
    """Send mail to the address that a link verifies from now on; all links of the account end.

    Returns the former address, if it was another one. Raises `NotFound` if there is no such link any more.
    """
    mine = (*links.living(token), AccountLink.user_id == account.id, AccountLink.email.is_not(None))
    with arena.transaction() as session:
        email = session.scalar(delete(AccountLink).where(*mine).returning(AccountLink.email))
        if email is None:
            raise NotFound(_(ENDED))
        user = session.get_one(User, account.id)
        former, user.email = user.email, email
        end_links(session, account.id)
        notify(
            session, account.id,
            lambda: _("Your e-mail address was changed. If it was not you, choose a new password."),
        )  # fmt: skip
    return former if former != email else None


def tell_former(arena: Arena, account: Account, email: str) -> None:
    """Tell a former address that it is not used any more. Raises `ArenaFault` if the mail cannot be sent."""
    with speaking(_language(arena, account)):
        text = _(CHANGED, name=account.name, site=arena.settings.url)
        mail.send(arena.settings, email, _(CHANGED_SUBJECT), text)


def _language(arena: Arena, account: Account) -> Language:
    with arena.reading() as session:
        return language_of(session.get_one(User, account.id))
