"""Conversion from database times, in seconds since 1970, to aware datetimes and to text."""

from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.clock import now


def moment(epoch: float) -> datetime:
    """Convert a database time to an aware datetime in UTC."""
    return datetime.fromtimestamp(epoch, UTC)


def database_time(session: Session) -> datetime:
    """Return the database's current time as an aware datetime in UTC."""
    return moment(session.scalars(select(now())).one())


def written(when: datetime) -> str:
    """Return a time in UTC for stored text: 3 Feb 2026, 14:05 UTC."""
    return f"{when.astimezone(UTC):%-d %b %Y, %H:%M} UTC"
