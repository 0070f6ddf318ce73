"""The expected end of a running tournament, and the size and duration of one that has not begun."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Entry, Table, Tournament
from arena.games.errors import ArenaError
from arena.services.base.states import TableState, TournamentState
from arena.services.base.times import database_time, moment
from arena.services.formats.base import kind, places
from arena.services.formats.costs import cost
from arena.services.formats.entrants import entrants
from arena.services.formats.plans import Plan, checked
from arena.services.formats.registry import FORMATS
from arena.services.formats.views import Preview
from arena.services.tournaments.starts import plan_of
from arena.tournament.pace import FEWEST, duration, time_left

MEASURED: Final = 50
"""Number of latest tables from which the pace is measured."""
EARLIER: Final = 12
"""Number of earlier tournaments from which a duration is predicted."""


@dataclass(frozen=True)
class End:
    """Range in which a tournament will end with 95 % confidence."""

    earliest: datetime
    latest: datetime


def expected_end(session: Session, tournament: Tournament, entries: int) -> End | None:
    """Return when a running tournament will end; None if it is not running or that is unknown."""
    if tournament.state != TournamentState.RUNNING or FORMATS[tournament.format].ongoing:
        return None
    left = planned(tournament, entries) - tournament.tables_settled
    finished = _finished(session, tournament)
    found = time_left(finished, left, database_time(session).timestamp())
    return None if found is None else End(*(moment(max(finished) + seconds) for seconds in found))


def planned(tournament: Tournament, entries: int) -> int:
    """Return the number of tables, including those of stages to come and, in a single stage, those not created yet."""
    chosen = FORMATS[tournament.format]
    unfinished = tournament.state in (TournamentState.RUNNING, TournamentState.PAUSED)
    if not unfinished or chosen.ongoing or chosen.own_page or not (chosen.staged or tournament.stage == 0):
        return tournament.tables_total
    counted = chosen.cost(tournament.shape, entries, places(tournament))
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


def forecast(session: Session, tournament: Tournament, entries: int) -> Preview | None:
    """Return the size and duration of a tournament that is planned, or too young for a pace of its own; else None."""
    with suppress(ArenaError):  # a plan that only an older release allowed
        if tournament.state in (TournamentState.DRAFT, TournamentState.SCHEDULED):
            return preview(session, plan_of(tournament))
        if tournament.state == TournamentState.RUNNING and tournament.tables_done < FEWEST:
            return _timed(session, plan_of(tournament), entries)
    return None


def preview(session: Session, plan: Plan) -> Preview:
    """Return the size and duration of a tournament if it started now. Raises `Refused` and `OptionError`."""
    valid = checked(plan)
    return _timed(session, valid, len(entrants(session, valid)))


def size_now(session: Session, plan: Plan) -> Preview:
    """Return the size and duration of a tournament if it started now, or the reason why it cannot."""
    try:
        return preview(session, plan)
    except ArenaError as error:
        return Preview(0, 0, 0, plan.boards or 0, str(error))


def _timed(session: Session, plan: Plan, entries: int) -> Preview:
    size = cost(plan, entries)
    earlier = list(_earlier(session, plan.variant)) if size.matches else []
    return replace(size, duration=duration(earlier, size.matches) if size.matches else None)


def _earlier(session: Session, variant: str) -> Iterator[float]:
    """Yield the seconds per match of the latest finished tournaments of a variant that were planned and played here."""
    entered = select(func.count()).where(Entry.tournament_id == Tournament.id).scalar_subquery()
    of_variant = (Tournament.variant == variant, Tournament.state == TournamentState.FINISHED, Tournament.priority == 0)
    found = session.execute(
        select(Tournament, entered)
        .where(
            *of_variant,
            Tournament.origin.is_(None),
            Tournament.tables_done >= FEWEST,
            Tournament.finished > Tournament.started,
        )
        .order_by(Tournament.id.desc())
        .limit(EARLIER)
    )
    for one, entries in found:
        matches = one.tables_done * one.boards * kind(variant, one.seatings, entries).count
        yield (one.finished - one.started) / matches
