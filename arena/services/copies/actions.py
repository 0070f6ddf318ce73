"""Requests for comparisons of bots, and dismissals of pairs."""

from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from arena.db.models import AlikePair, Bot, Dismissal
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import COMPARE, Arena, Doorbell, ring
from arena.services.people import audit
from arena.words import _

LONGEST_REASON: Final = 500
"""Longest reason of a dismissal, in characters."""


def request(arena: Arena, account: Account) -> None:
    """Ask a worker to compare all bots. Raises `Refused`."""
    check_organiser(account)
    with arena.transaction() as session:
        audit.note(session, account, "compared all bots", "bots")
        ring(session, Doorbell(COMPARE, 0))


def dismiss(arena: Arena, account: Account, a_id: int, b_id: int, reason: str) -> None:
    """Dismiss a pair of the report, with a reason that other organisers read. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    reason = reason.strip()
    if not 1 <= len(reason) <= LONGEST_REASON:
        raise Refused(_("The reason must have 1 to %(most)s characters.", most=LONGEST_REASON))
    a_id, b_id = sorted((a_id, b_id))
    with arena.transaction() as session:
        subject = _subject(session, a_id, b_id)
        session.merge(Dismissal(a_id=a_id, b_id=b_id, reason=reason, by=account.name))
        audit.note(session, account, "dismissed a pair of alike bots", subject, reason)


def restore(arena: Arena, account: Account, a_id: int, b_id: int) -> None:
    """Show a dismissed pair among the others again. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    a_id, b_id = sorted((a_id, b_id))
    with arena.transaction() as session:
        subject = _subject(session, a_id, b_id)
        session.execute(delete(Dismissal).where(Dismissal.a_id == a_id, Dismissal.b_id == b_id))
        audit.note(session, account, "restored a pair of alike bots", subject)


def _subject(session: Session, a_id: int, b_id: int) -> str:
    """Return the names of the bots of a pair of the report. Raises `NotFound`."""
    if session.scalar(select(AlikePair.id).where(AlikePair.a_id == a_id, AlikePair.b_id == b_id).limit(1)) is None:
        raise NotFound(_("Bots %(a)s and %(b)s are not in the latest report.", a=a_id, b=b_id))
    names = session.scalars(select(Bot.name).where(Bot.id.in_((a_id, b_id))).order_by(Bot.id)).all()
    return f"bots {' and '.join(names)}"
