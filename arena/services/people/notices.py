"""Notices: messages to a user about events that happened in the user's absence."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from arena.db.models import Notice, Tournament
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.times import moment

SHOWN: Final = 100
"""Maximum number of notices listed."""


@dataclass(frozen=True)
class NoticeRow:
    """A notice to a user."""

    id: int
    text: str
    tournament_id: int | None
    """ID of the tournament that it concerns, if any."""
    tournament: str | None
    """Name of that tournament."""
    created: datetime
    seen: bool


def notify(session: Session, user_id: int, text: str, tournament_id: int | None = None) -> None:
    """Leave a notice for a user."""
    session.add(Notice(user_id=user_id, text=text, tournament_id=tournament_id))


def latest(arena: Arena, account: Account) -> list[NoticeRow]:
    """Return the account's latest notices, newest first."""
    with arena.reading() as session:
        found = session.execute(
            select(Notice, Tournament.name)
            .outerjoin(Tournament, Tournament.id == Notice.tournament_id)
            .where(Notice.user_id == account.id)
            .order_by(Notice.id.desc())
            .limit(SHOWN)
        )
        return [_row(notice, tournament) for notice, tournament in found]


def count_unseen(arena: Arena, account: Account) -> int:
    """Return the number of the account's unseen notices."""
    with arena.reading() as session:
        mine = (Notice.user_id == account.id, Notice.seen.is_(False))
        return session.scalars(select(func.count()).select_from(Notice).where(*mine)).one()


def mark_seen(arena: Arena, account: Account, last_id: int) -> None:
    """Mark the account's notices up to the one with ID `last_id` as seen."""
    with arena.transaction() as session:
        mine = (Notice.user_id == account.id, Notice.id <= last_id)
        session.execute(update(Notice).where(*mine).values(seen=True))


def _row(notice: Notice, tournament: str | None) -> NoticeRow:
    return NoticeRow(notice.id, notice.text, notice.tournament_id, tournament, moment(notice.created), notice.seen)
