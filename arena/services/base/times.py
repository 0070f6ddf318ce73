"""Conversion from database times, in seconds since 1970, to aware datetimes and to text."""

from datetime import UTC, datetime

from babel.dates import format_date
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.services.base.languages import locale
from arena.words import ENGLISH, spoken


def moment(epoch: float) -> datetime:
    """Convert a database time to an aware datetime in UTC."""
    return datetime.fromtimestamp(epoch, UTC)


def database_time(session: Session) -> datetime:
    """Return the database's current time as an aware datetime in UTC."""
    return moment(session.scalars(select(now())).one())


def written(when: datetime) -> str:
    """Return a time in UTC for what is stored: 3 Feb 2026, 14:05 UTC."""
    return f"{when.astimezone(UTC):%-d %b %Y, %H:%M} UTC"


def told(when: datetime) -> str:
    """Return a time in UTC for messages, in the present language: 3 Feb 2026, 14:05 UTC."""
    if spoken() is ENGLISH:
        return written(when)
    return f"{format_date(when.astimezone(UTC), locale=locale(spoken().tag))}, {when.astimezone(UTC):%H:%M} UTC"
