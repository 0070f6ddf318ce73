"""The expected end of a running tournament."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Table, Tournament
from arena.services.base.states import TableState, TournamentState
from arena.services.base.times import database_time, moment
from arena.services.formats.base import places
from arena.services.formats.registry import FORMATS
from arena.tournament.pace import time_left

MEASURED: Final = 50
"""Number of latest tables from which the pace is measured."""


@dataclass(frozen=True)
class End:
    """Range in which a tournament will end with 95 % confidence."""

    earliest: datetime
    latest: datetime


def expected_end(session: Session, tournament: Tournament, entries: int) -> End | None:
    """Return when a running tournament will end; None if it is not running or that is unknown."""
    if tournament.state != TournamentState.RUNNING or FORMATS[tournament.format].ongoing:
        return None
    left = _total(tournament, entries) - tournament.tables_settled
    finished = _finished(session, tournament)
    found = time_left(finished, left, database_time(session).timestamp())
    return None if found is None else End(*(moment(max(finished) + seconds) for seconds in found))


def _total(tournament: Tournament, entries: int) -> int:
    """Return the number of tables including those of stages to come."""
    chosen = FORMATS[tournament.format]
    counted = chosen.cost(tournament.shape, entries, places(tournament)) if chosen.staged else None
    return max(tournament.tables_total, counted.tables if counted else 0)


def _finished(session: Session, tournament: Tournament) -> list[float]:
    # By number, because an index has the tables in this order.
    times = session.scalars(
        select(Table.finished)
        .where(Table.tournament_id == tournament.id, Table.state == TableState.DONE)
        .order_by(Table.number.desc())
        .limit(MEASURED)
    )
    return [time for time in times if time is not None]
