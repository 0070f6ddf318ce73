"""Notices: what a user should know, and may have missed."""

from typing import Final

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from arena.db.models import Notice, Tournament
from arena.services.context import Arena
from arena.services.matches import moment
from arena.services.shapes import Account, NoticeRow

SHOWN: Final = 100


def tell(session: Session, user_id: int, text: str, tournament_id: int | None = None) -> None:
    """Leave a notice for a user."""
    session.add(Notice(user_id=user_id, text=text, tournament_id=tournament_id))


def of(arena: Arena, account: Account) -> list[NoticeRow]:
    """One's latest notices, latest first."""
    with arena.reading() as session:
        found = session.execute(
            select(Notice, Tournament.name)
            .outerjoin(Tournament, Tournament.id == Notice.tournament_id)
            .where(Notice.user_id == account.id)
            .order_by(Notice.id.desc())
            .limit(SHOWN)
        )
        return [_row(notice, tournament) for notice, tournament in found]


def unseen(arena: Arena, account: Account) -> int:
    """How many of one's notices were not seen yet."""
    with arena.reading() as session:
        mine = (Notice.user_id == account.id, Notice.seen.is_(False))
        return session.scalars(select(func.count()).select_from(Notice).where(*mine)).one()


def seen(arena: Arena, account: Account, latest: int) -> None:
    """One's notices up to that id were seen."""
    with arena.transaction() as session:
        mine = (Notice.user_id == account.id, Notice.id <= latest)
        session.execute(update(Notice).where(*mine).values(seen=True))


def _row(notice: Notice, tournament: str | None) -> NoticeRow:
    return NoticeRow(notice.id, notice.text, notice.tournament_id, tournament, moment(notice.created), notice.seen)
