"""Announcements of administrators, which every page shows to everybody until they end."""

from datetime import datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from arena.db.clock import now
from arena.db.models import Announcement
from arena.games.errors import Conflict, NotFound, Refused
from arena.services.administration.views import AnnouncementRow
from arena.services.base.access import Account, check_admin
from arena.services.base.context import Arena
from arena.services.base.states import Severity
from arena.services.base.texts import storable
from arena.services.base.times import database_time
from arena.services.base.views import view_of
from arena.services.people import audit
from arena.words import _, number

LONGEST: Final = 300
"""Maximum length of an announcement, in characters."""
MOST: Final = 3
"""Maximum number of announcements at a time: nobody reads more."""
SHOWN: Final = 50
"""Number of announcements in the list of the latest."""


def post(arena: Arena, actor: Account, text: str, severity: str, until: datetime) -> int:
    """Show an announcement on every page until a time, and return its ID. Raises `Refused`."""
    check_admin(actor)
    said = _checked(text)
    if severity not in list(Severity):
        values = {"severity": repr(severity[:40]), "known": ", ".join(Severity)}
        raise Refused(_("%(severity)s is not a severity; the severities are %(known)s.", **values))
    with arena.transaction() as session:
        if until <= database_time(session):
            raise Refused(_("The end of an announcement must be in the future."))
        _check_room(session)
        row = Announcement(text=said, severity=severity, until=until.timestamp(), created_by_id=actor.id)
        session.add(row)
        session.flush()
        shown = f"{severity}, until {until:%Y-%m-%d %H:%M %Z}: {said}"
        audit.note(session, actor, "posted an announcement", f"announcement {row.id}", shown)
        return row.id


def end(arena: Arena, actor: Account, announcement_id: int) -> None:
    """End an announcement now. Raises `NotFound`, and `Refused` if it has ended."""
    check_admin(actor)
    with arena.transaction() as session:
        row = session.get(Announcement, announcement_id, with_for_update=True)
        if row is None:
            raise NotFound(_("There is no announcement %(id)s.", id=announcement_id))
        ended = database_time(session).timestamp()
        if row.until <= ended:
            raise Conflict(_("This announcement has already ended."))
        row.until = ended
        audit.note(session, actor, "ended an announcement", f"announcement {row.id}", row.text)


def current(arena: Arena) -> list[AnnouncementRow]:
    """Return the announcements that pages show now, oldest first."""
    with arena.reading() as session:
        query = select(Announcement).where(Announcement.until > now()).order_by(Announcement.id)
        return [_row(row, over=False) for row in session.scalars(query.options(joinedload(Announcement.created_by)))]


def latest(arena: Arena) -> list[AnnouncementRow]:
    """Return the latest announcements, newest first."""
    with arena.reading() as session:
        query = select(Announcement, Announcement.until <= now()).order_by(Announcement.id.desc()).limit(SHOWN)
        found = session.execute(query.options(joinedload(Announcement.created_by)))
        return [_row(row, over) for row, over in found]


def _checked(text: str) -> str:
    said = " ".join(storable(text).split())
    if not 1 <= len(said) <= LONGEST or not said.isprintable():
        values = {"most": LONGEST, "number": number(len(said))}
        raise Refused(
            _("An announcement must have 1 to %(most)s printable characters; this one has %(number)s.", **values)
        )
    return said


def _check_room(session: Session) -> None:
    shown = session.scalars(select(func.count()).where(Announcement.until > now())).one()
    if shown >= MOST:
        raise Refused(
            _("%(number)s announcements are shown now, which is the limit; end one of them first.", number=shown)
        )


def _row(row: Announcement, over: bool) -> AnnouncementRow:
    return view_of(AnnouncementRow, row, over=over, created_by=row.created_by.name)
