"""Pages of schedules: the list, a schedule with its tournaments, and the next times of an expression."""

from datetime import UTC, datetime
from itertools import islice

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from arena.db.models import Schedule, Tournament
from arena.games.errors import NotFound, Refused
from arena.services.base.context import Arena
from arena.services.base.times import database_time, moment
from arena.services.base.views import view_of
from arena.services.formats.plans import Plan
from arena.services.schedules.choices import phrase
from arena.services.schedules.crons import Cron
from arena.services.schedules.views import SchedulePage, ScheduleRow
from arena.services.tournaments import ends
from arena.services.tournaments.pages import rows
from arena.words import _

SHOWN_TIMES, SHOWN_TOURNAMENTS = 5, 50


def schedules(arena: Arena) -> list[ScheduleRow]:
    """Return all schedules, oldest first."""
    with arena.reading() as session:
        found = session.scalars(select(Schedule).order_by(Schedule.id).options(joinedload(Schedule.created_by)))
        return [_row(schedule, database_time(session)) for schedule in found]


def schedule_page(arena: Arena, schedule_id: int) -> SchedulePage:
    """Return the page of a schedule. Raises `NotFound`."""
    with arena.reading() as session:
        schedule = session.get(Schedule, schedule_id, options=[joinedload(Schedule.created_by)])
        if schedule is None:
            raise NotFound(_("There is no schedule %(id)s.", id=schedule_id))
        made = rows(session, SHOWN_TOURNAMENTS, Tournament.schedule_id == schedule_id)
        row = _row(schedule, database_time(session))
        return SchedulePage(row, tuple(made), ends.size_now(session, row.plan))


def next_times(cron: str, zone: str, count: int = SHOWN_TIMES, after: datetime | None = None) -> list[datetime]:
    """Return the next `count` times of an expression, in its zone.

    These follow `after`, which defaults to the current time of this machine. Raises `Refused` if the expression or zone
    is invalid.
    """
    wanted = Cron(cron, zone)
    return [time.astimezone(wanted.zone) for time in islice(wanted.after(after or datetime.now(UTC)), count)]


def _row(schedule: Schedule, current: datetime) -> ScheduleRow:
    since = max(current, moment(schedule.seen_until))
    return view_of(
        ScheduleRow,
        schedule,
        # Not validated, so that a plan that only an older release allowed can be shown, changed and deleted.
        plan=Plan(**schedule.plan),
        created_by=schedule.created_by.name,
        words=phrase(schedule.cron),
        times=() if schedule.paused else _times(schedule, since),
    )


def _times(schedule: Schedule, since: datetime) -> tuple[datetime, ...]:
    try:
        return tuple(next_times(schedule.cron, schedule.zone, after=since))
    except Refused:
        return ()
