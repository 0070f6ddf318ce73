"""The first page."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.base import Base
from arena.db.models import Bot, Match, Table, User
from arena.games.registry import DEFAULT_VARIANT
from arena.services import matches, ratings, tournaments
from arena.services.context import Arena
from arena.services.fold import UNFINISHED
from arena.services.shapes import Counts, HomePage

SHOWN_TOURNAMENTS, SHOWN_LEADERS, SHOWN_MATCHES = 6, 10, 8


def home(arena: Arena) -> HomePage:
    """What is going on."""
    with arena.reading() as session:
        return HomePage(
            counts=_counts(session),
            tournaments=tuple(tournaments.rows(session, SHOWN_TOURNAMENTS)),
            leaders=tuple(ratings.leaders(session, DEFAULT_VARIANT)[:SHOWN_LEADERS]),
            matches=matches.latest(session, SHOWN_MATCHES),
        )


def _counts(session: Session) -> Counts:
    waiting = select(func.count()).select_from(Table).where(Table.state.in_(UNFINISHED))
    return Counts(
        bots=_count(session, Bot),
        users=_count(session, User),
        matches=_count(session, Match),
        waiting=session.scalars(waiting).one(),
    )


def _count(session: Session, model: type[Base]) -> int:
    return session.scalars(select(func.count()).select_from(model)).one()
