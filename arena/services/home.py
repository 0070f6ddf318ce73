"""The first page."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.base import Base
from arena.db.models import Bot, Table, User
from arena.services import matches, ratings, tallies, tournament_pages
from arena.services.context import Arena
from arena.services.shapes import UNSETTLED, Counts, HomePage, LeaderRow

SHOWN_TOURNAMENTS, SHOWN_MATCHES, SHOWN_VARIANTS = 6, 8, 3
SHOWN_LEADERS: Final = {0: 0, 1: 10, 2: 5, 3: 3}
"""How many leaders of each variant are shown, by how many variants there are to show."""


def home(arena: Arena) -> HomePage:
    """What is going on."""
    with arena.reading() as session:
        shown = tuple(tournament_pages.rows(session, SHOWN_TOURNAMENTS))
        latest = matches.latest(session, SHOWN_MATCHES)
        played = [match.variant for match in latest] + [row.variant for row in shown]
        return HomePage(_counts(session), shown, _leaders(session, played), latest)


def _leaders(session: Session, variants: Iterable[str]) -> dict[str, tuple[LeaderRow, ...]]:
    """The best bots of the first of these variants that have any."""
    most = max(SHOWN_LEADERS.values())
    rated = ((variant, ratings.leaders(session, variant, most)) for variant in dict.fromkeys(variants))
    found = list(islice(((variant, rows) for variant, rows in rated if rows), SHOWN_VARIANTS))
    return {variant: tuple(rows[: SHOWN_LEADERS[len(found)]]) for variant, rows in found}


def _counts(session: Session) -> Counts:
    waiting = select(func.count()).select_from(Table).where(Table.state.in_(UNSETTLED))
    return Counts(
        bots=_count(session, Bot),
        users=_count(session, User),
        matches=tallies.matches(session),
        waiting=session.scalars(waiting).one(),
    )


def _count(session: Session, model: type[Base]) -> int:
    return session.scalars(select(func.count()).select_from(model)).one()
