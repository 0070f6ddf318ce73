"""The mark of a schedule: the time up to which its times are handled, and the next time after it."""

from arena.db.models import Schedule
from arena.services.base.times import moment
from arena.services.schedules.crons import Cron


def mark(schedule: Schedule, until: float) -> None:
    """Mark the times up to `until`, in seconds since 1970, as handled. Raises `Refused` if the zone is unknown."""
    schedule.seen_until = until
    schedule.due_at = next(Cron(schedule.cron, schedule.zone).after(moment(until))).timestamp()
