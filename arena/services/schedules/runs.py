"""Runs of schedules: at most one tournament for each time of a cron expression.

Only the database's clock counts. A schedule stores the time until which its times are handled (`seen_until`), which
never goes back: if the clock jumps ahead, times come early, and if it jumps back, they do not come again. The process
that handles a time locks the schedule's row while it creates the tournament, and (schedule, time) is unique as well.
Each schedule also stores its next time, so that a sweep reads only the schedules that are due, the oldest first.

A time that is noticed within `GRACE` seconds is in time. Of several missed times only the latest is considered; if it
is too late, the catch-up policy decides whether it is skipped or still gets a tournament.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Schedule
from arena.games.errors import ArenaError, Refused
from arena.services.base.context import Arena
from arena.services.base.pace import in_time
from arena.services.base.texts import sentences
from arena.services.base.times import database_time, moment
from arena.services.formats.plans import from_json
from arena.services.people.notices import notify
from arena.services.schedules.crons import Cron, zone_of
from arena.services.schedules.views import SKIP
from arena.services.tournaments import starts
from arena.words import _

GRACE: Final = 300.0
"""Seconds by which a time may be noticed late, so that a restart or a busy machine does not skip it."""

log: Final = structlog.get_logger()


def start_due(arena: Arena) -> int:
    """Start the tournaments that are due, and return their number. Safe to call from any number of processes.

    If many are due, some are left to the next sweep.
    """
    with arena.reading() as session:
        due = select(Schedule.id).where(
            Schedule.paused.is_(False), Schedule.due_at <= database_time(session).timestamp()
        )
        ids = session.scalars(due.order_by(Schedule.due_at, Schedule.id)).all()
    return sum(_run(arena, schedule_id) for schedule_id in in_time(ids))


def _run(arena: Arena, schedule_id: int) -> bool:
    try:
        with arena.reading() as session:
            stored = session.get_one(Schedule, schedule_id).plan
        with suppress(ArenaError):  # `_start` reports it
            starts.prepare(arena, from_json(stored))
        with arena.transaction() as session:
            return _handle_latest(session, schedule_id)
    except Exception:  # an internal error with one schedule must not block the others
        log.exception("scheduled tournament not created", schedule=schedule_id)
        return False


def _handle_latest(session: Session, schedule_id: int) -> bool:
    """Handle the times that have passed since the last call, and return whether a tournament was started."""
    active = select(Schedule).where(Schedule.id == schedule_id, Schedule.paused.is_(False))
    schedule = session.scalar(active.with_for_update())
    if schedule is None:
        return False
    current = database_time(session)
    try:
        time = Cron(schedule.cron, schedule.zone).latest(moment(schedule.seen_until), current)
    except Refused as refusal:
        schedule.problem = str(refusal)
        return False
    mark(schedule, schedule.seen_until if time is None else time.timestamp())
    if time is None:
        return False
    if schedule.catch_up == SKIP and (current - time).total_seconds() > GRACE:
        schedule.problem = f"{shown(schedule, time)} was missed; the catch-up policy skips missed times."
        return False
    schedule.problem = _start(session, schedule, time)
    return schedule.problem is None


def _start(session: Session, schedule: Schedule, time: datetime) -> str | None:
    """Create and start the tournament of a time. Returns the reason if it cannot start."""
    try:
        plan = replace(from_json(schedule.plan), name=f"{schedule.name} {shown(schedule, time)}")
        with session.begin_nested():
            tournament = starts.draft(
                session, plan, schedule.created_by_id, schedule_id=schedule.id, due=time.timestamp()
            )
            starts.begin(session, tournament)
    except ArenaError as refusal:
        problem = f"{shown(schedule, time)}: {refusal}"
        notify(
            session, schedule.created_by_id,
            lambda: sentences(_("%(schedule)s could not be started.", schedule=schedule.name), problem),
        )  # fmt: skip
        return problem
    return None


def mark(schedule: Schedule, until: float) -> None:
    """Mark the times up to `until`, in seconds since 1970, as handled. Raises `Refused` if the zone is unknown."""
    schedule.seen_until = until
    schedule.due_at = next(Cron(schedule.cron, schedule.zone).after(moment(until))).timestamp()


def shown(schedule: Schedule, time: datetime) -> str:
    """Return a time in a schedule's zone, as in the names of its tournaments."""
    return f"{time.astimezone(zone_of(schedule.zone)):%Y-%m-%d %H:%M %Z}"
