"""The home page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.base import Base
from arena.db.models import Bot, Table, Tournament, User
from arena.services.base.context import Arena
from arena.services.base.states import UNSETTLED
from arena.services.ratings import pages as ratings
from arena.services.ratings import tallies
from arena.services.ratings.views import LeaderRow
from arena.services.tables import matches
from arena.services.tables.views import MatchRow
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments.views import TournamentRow

SHOWN_TOURNAMENTS, SHOWN_MATCHES, SHOWN_VARIANTS = 6, 8, 3
SHOWN_LEADERS: Final = {0: 0, 1: 10, 2: 5, 3: 3}
"""Number of leaders shown for each variant, by the number of variants shown."""


@dataclass(frozen=True)
class Counts:
    """Totals of the whole arena."""

    bots: int
    users: int
    matches: int
    waiting: int
    """Number of tables that are queued or running."""


@dataclass(frozen=True)
class HomePage:
    """The home page."""

    counts: Counts
    tournaments: tuple[TournamentRow, ...]
    """Latest tournaments, newest first."""
    leaders: Mapping[str, tuple[LeaderRow, ...]]
    """Leaders of the variants played most recently, by variant."""
    matches: tuple[MatchRow, ...]
    """Latest matches, newest first."""


def home(arena: Arena) -> HomePage:
    """Return the home page: latest tournaments and matches, and the leaders of the variants that they played."""
    with arena.reading() as session:
        shown = tuple(tournament_pages.rows(session, SHOWN_TOURNAMENTS, Tournament.rated))
        latest = matches.latest(session, SHOWN_MATCHES)
        played = [match.variant for match in latest] + [row.variant for row in shown]
        return HomePage(_counts(session), shown, _leaders(session, played), latest)


def _leaders(session: Session, variants: Iterable[str]) -> dict[str, tuple[LeaderRow, ...]]:
    """Return the leaders of the first of these variants that have rated bots."""
    most = max(SHOWN_LEADERS.values())
    rated = ((variant, ratings.leaders(session, variant, most)) for variant in dict.fromkeys(variants))
    found = list(islice(((variant, rows) for variant, rows in rated if rows), SHOWN_VARIANTS))
    return {variant: tuple(rows[: SHOWN_LEADERS[len(found)]]) for variant, rows in found}


def _counts(session: Session) -> Counts:
    waiting = select(func.count()).select_from(Table).join(Table.tournament).where(Tournament.rated)
    return Counts(
        bots=_count(session, Bot),
        users=_count(session, User),
        matches=tallies.matches(session),
        waiting=session.scalars(waiting.where(Table.state.in_(UNSETTLED))).one(),
    )


def _count(session: Session, model: type[Base]) -> int:
    return session.scalars(select(func.count()).select_from(model)).one()
