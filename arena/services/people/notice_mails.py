"""Notices by mail: those of a member that are due go in one mail, unless they have been seen on the site.

Notices are marked as sent before the mail is, so that no failure and no second process sends one twice. One that is
lost with the mail server stays on the site.
"""

import hmac
from collections.abc import Sequence
from typing import Final, NamedTuple

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Notice, User
from arena.games.errors import ArenaFault, NotFound
from arena.services.base.context import Arena
from arena.services.people import mail
from arena.services.people.notices import stop_mail
from arena.services.people.rows import language_of
from arena.settings import Settings
from arena.words import N_, Language, _, ngettext, speaking

SHOWN: Final = 50
"""Largest number of notices in a mail; the others are on the site."""
TEXT: Final = N_("""\
%(notices)s

All your notices: %(site)s/notices
What you get by mail: %(site)s/account/notices
No more notices by mail: %(link)s
""")

log: Final = structlog.get_logger()


class Mail(NamedTuple):
    """Notices of a member, to be sent."""

    user_id: int
    address: str
    texts: Sequence[str]
    language: Language


def send_due(arena: Arena) -> int:
    """Send the notices that are due, one mail for each member. Returns the number of mails tried."""
    if arena.settings.smtp_url is None:
        return 0
    with arena.reading() as session:
        due = select(Notice.user_id).where(Notice.mail_due <= now()).distinct().order_by(Notice.user_id)
        users = session.scalars(due).all()
    return sum(_send_to(arena, user_id) for user_id in users)


def unsubscribe(arena: Arena, token: str) -> None:
    """Stop all notices by mail to the member whose mails had this token in their links. Raises `NotFound`."""
    number = token.partition("-")[0]
    user_id = int(number) if number.isascii() and number.isdigit() and len(number) < 19 else 0
    if not hmac.compare_digest(token.encode(), token_of(arena.settings, user_id).encode()):
        raise NotFound(_("This link is not complete. Copy all of it from the mail."))
    stop_mail(arena, user_id)


def token_of(settings: Settings, user_id: int) -> str:
    """Return the token of the links with which a member stops mails. It works for ever, and for nothing else."""
    digest = hmac.digest(settings.secret_key.encode(), f"unsubscribe {user_id}".encode(), "sha256")
    return f"{user_id}-{digest.hex()[:32]}"


def _send_to(arena: Arena, user_id: int) -> bool:
    with arena.transaction() as session:
        taken = _take(session, user_id)
    if taken is None:
        return False
    site = arena.settings.url
    link = f"{site}/unsubscribe/{token_of(arena.settings, user_id)}"
    headers = {"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    listed = "\n\n".join(taken.texts[:SHOWN])
    with speaking(taken.language):
        subject, text = _subject(taken), _(TEXT, notices=listed, site=site, link=link)
    try:
        mail.send(arena.settings, taken.address, subject, text, headers)
    except ArenaFault as fault:
        log.warning("notices not sent by mail", user=user_id, reason=str(fault))
    return True


def _take(session: Session, user_id: int) -> Mail | None:
    """Mark the due notices of a member as sent. Returns them; None if there is nothing to send any more."""
    user = session.get(User, user_id, with_for_update=True)
    due = update(Notice).where(Notice.user_id == user_id, Notice.mail_due.is_not(None))
    found = session.execute(due.values(mail_due=None).returning(Notice.id, Notice.text, Notice.seen)).all()
    texts = [row.text for row in sorted(found) if not row.seen]
    if user is None or user.email is None or user.disabled is not None or not texts:
        return None
    return Mail(user_id, user.email, texts, language_of(user))


def _subject(one: Mail) -> str:
    count = len(one.texts)
    return " ".join(one.texts[0].split())[:100] if count == 1 else ngettext("%(num)s notice", "%(num)s notices", count)
