"""Integrity of schedules."""

from collections.abc import Iterator

from sqlalchemy.orm import Session

from arena.db.models import Schedule
from arena.services.formats.plans import from_json
from arena.services.integrity.findings import Wrong, check_rows
from arena.services.schedules.crons import Cron
from arena.services.schedules.views import CATCH_UPS


def schedule(session: Session, schedule_id: int) -> Iterator[Wrong]:
    """Check a schedule's settings. Raises `Refused` and `OptionError` if its plan or its times are invalid."""
    row = session.get_one(Schedule, schedule_id)
    if row.catch_up not in CATCH_UPS:
        yield Wrong(f"its catch-up policy is {row.catch_up!r}; the policies are {', '.join(CATCH_UPS)}")
    from_json(row.plan)
    Cron(row.cron, row.zone)


CHECKS = (check_rows("schedule", Schedule, schedule),)
