"""Integrity of schedules."""

from sqlalchemy.orm import Session

from arena.db.models import Schedule
from arena.services.formats.plans import from_json
from arena.services.integrity.findings import Wrong, check_rows
from arena.services.schedules.crons import Cron


def schedule(session: Session, schedule_id: int) -> tuple[Wrong, ...]:
    """Check a schedule's settings. Raises `Refused` and `OptionError` if its plan or its times are invalid."""
    row = session.get_one(Schedule, schedule_id)
    from_json(row.plan)
    Cron(row.cron, row.zone)
    return ()


CHECKS = (check_rows("schedule", Schedule, schedule),)
