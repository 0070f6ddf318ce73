"""Schedules: a tournament at every time of a cron expression, one for each, whoever looks and whatever clocks do.

Only the database's clock decides. A schedule remembers until when its times have been dealt with (`seen_until`), which
never goes back: a clock that jumps ahead has its times come early, and one that jumps back has none of them come again.
Whoever looks first holds the schedule's row while the tournament is made, and (schedule, time) is unique besides.

A time that is noticed within GRACE seconds has come in time. Of several that passed while nobody looked only the latest
is considered; where it is too late, the catch-up policy says whether to skip it or to make one tournament all the same.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from types import MappingProxyType
from typing import Final

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session, joinedload

from arena.db.clock import now
from arena.db.models import Schedule, Tournament
from arena.games.errors import ArenaError, NotFound, Refused
from arena.services import starting
from arena.services.context import Arena
from arena.services.crons import Cron, zone_of
from arena.services.matches import moment
from arena.services.notices import tell
from arena.services.plans import FORMATS, Plan, as_json, checked, from_json
from arena.services.shapes import Account, TournamentRow
from arena.services.tournament_pages import rows
from arena.services.tournaments import check_admin

SKIP: Final = "skip"
ONCE: Final = "once"
CATCH_UPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        SKIP: "Times that passed while the arena was down are skipped",
        ONCE: "One tournament is made for all times that passed while the arena was down",
    }
)
GRACE: Final = 300.0
"""Seconds by which a time may be noticed late: a restart or a busy machine is no reason to skip it."""
LONGEST_NAME: Final = 50
"""Characters of a name: its tournaments add their time to it."""
SHOWN_TIMES, SHOWN_TOURNAMENTS = 5, 50

log: Final = structlog.get_logger()


@dataclass(frozen=True)
class ScheduleRow:
    """A schedule."""

    id: int
    name: str
    plan: Plan
    """What its tournaments are like."""
    cron: str
    zone: str
    """The IANA name of the time zone that the expression is meant in."""
    catch_up: str
    """``skip`` or ``once``."""
    paused: bool
    problem: str | None
    """Why its latest time came to nothing."""
    created_by: str
    created: datetime
    times: tuple[datetime, ...]
    """The next ones, in its zone; none while it is paused, and where its zone is not known here."""


@dataclass(frozen=True)
class SchedulePage:
    """A schedule with what it made."""

    row: ScheduleRow
    tournaments: tuple[TournamentRow, ...]
    """The latest, latest first."""


def create(arena: Arena, account: Account, plan: Plan, cron: str, zone: str, catch_up: str = SKIP) -> int:
    """Make a schedule whose first time is the next one from now on; its id. Raises Refused and OptionError."""
    values = _checked(account, plan, cron, zone, catch_up)
    with arena.transaction() as session:
        schedule = Schedule(**values, seen_until=_now(session).timestamp(), created_by_id=account.id)
        session.add(schedule)
        session.flush()
        return schedule.id


def change(
    arena: Arena, account: Account, schedule_id: int, plan: Plan, cron: str, zone: str, catch_up: str = SKIP
) -> None:
    """Choose everything anew. What was made stays as it is. Raises Refused, OptionError and NotFound."""
    values = _checked(account, plan, cron, zone, catch_up)
    with arena.transaction() as session:
        schedule = _held(session, schedule_id)
        if (schedule.cron, schedule.zone) != (cron, zone):
            _skip_to_now(session, schedule)
        for name, value in values.items():
            setattr(schedule, name, value)
        schedule.problem = None


def pause(arena: Arena, account: Account, schedule_id: int) -> None:
    """Let its times pass until it is resumed. Raises Refused and NotFound."""
    _set_paused(arena, account, schedule_id, True)


def resume(arena: Arena, account: Account, schedule_id: int) -> None:
    """Heed its times again, from now on: what passed in between is not caught up. Raises Refused and NotFound."""
    _set_paused(arena, account, schedule_id, False)


def delete(arena: Arena, account: Account, schedule_id: int) -> None:
    """Forget a schedule. Its tournaments stay. Raises Refused and NotFound."""
    check_admin(account)
    with arena.transaction() as session:
        schedule = _held(session, schedule_id)
        session.execute(update(Tournament).where(Tournament.schedule_id == schedule_id).values(schedule_id=None))
        session.delete(schedule)


def schedules(arena: Arena) -> list[ScheduleRow]:
    """All schedules, in the order in which they were made."""
    with arena.reading() as session:
        found = session.scalars(select(Schedule).order_by(Schedule.id).options(joinedload(Schedule.created_by)))
        return [_row(schedule, _now(session)) for schedule in found]


def schedule_page(arena: Arena, schedule_id: int) -> SchedulePage:
    """One schedule. Raises NotFound."""
    with arena.reading() as session:
        schedule = session.get(Schedule, schedule_id, options=[joinedload(Schedule.created_by)])
        if schedule is None:
            raise NotFound(f"There is no schedule {schedule_id}.")
        made = rows(session, SHOWN_TOURNAMENTS, Tournament.schedule_id == schedule_id)
        return SchedulePage(_row(schedule, _now(session)), tuple(made))


def next_times(cron: str, zone: str, count: int = SHOWN_TIMES, after: datetime | None = None) -> list[datetime]:
    """The next times of an expression after a moment (None: now, by this machine's clock), in its zone.

    Raises Refused where the expression or the zone is none.
    """
    wanted = Cron(cron, zone)
    return [time.astimezone(wanted.zone) for time in islice(wanted.after(after or datetime.now(UTC)), count)]


def due(arena: Arena) -> int:
    """Make the tournaments whose time has come; how many were made. May be called by any number of processes."""
    with arena.reading() as session:
        current = _now(session)
        active = session.scalars(select(Schedule).where(Schedule.paused.is_(False)).order_by(Schedule.id))
        waiting = [schedule.id for schedule in active if _may_be_due(schedule, current)]
    return sum(_make(arena, schedule_id) for schedule_id in waiting)


def _may_be_due(schedule: Schedule, current: datetime) -> bool:
    try:
        return _latest(schedule, current) is not None
    except Refused:  # it was stored where its zone is known; here it is not
        return True


def _make(arena: Arena, schedule_id: int) -> bool:
    try:
        with arena.reading() as session:
            stored = session.get_one(Schedule, schedule_id).plan
        with suppress(ArenaError):  # which `_start` will tell
            starting.prepare(arena, from_json(stored))
        with arena.transaction() as session:
            return _make_latest(session, schedule_id)
    except Exception:  # an error of the arena itself with one of them must not hold up the others
        log.exception("the tournament of a schedule was not made", schedule=schedule_id)
        return False


def _make_latest(session: Session, schedule_id: int) -> bool:
    """Deal with the times that passed since somebody looked; whether a tournament was made."""
    held = select(Schedule).where(Schedule.id == schedule_id, Schedule.paused.is_(False)).with_for_update()
    schedule = session.scalar(held)
    if schedule is None:
        return False
    current = _now(session)
    try:
        time = _latest(schedule, current)
    except Refused as refusal:
        schedule.problem = str(refusal)
        return False
    if time is None:
        return False
    schedule.seen_until = time.timestamp()
    if schedule.catch_up == SKIP and (current - time).total_seconds() > GRACE:
        schedule.problem = f"{_shown(schedule, time)} passed while nobody looked, and was skipped."
        return False
    schedule.problem = _start(session, schedule, time)
    return schedule.problem is None


def _start(session: Session, schedule: Schedule, time: datetime) -> str | None:
    """Make and begin the tournament of that time; why that could not be, where it could not."""
    try:
        plan = replace(from_json(schedule.plan), name=f"{schedule.name} {_shown(schedule, time)}")
        with session.begin_nested():
            tournament = starting.draft(
                session, plan, schedule.created_by_id, schedule_id=schedule.id, due=time.timestamp()
            )
            starting.begin(session, tournament)
    except ArenaError as refusal:
        problem = f"{_shown(schedule, time)}: {refusal}"
        tell(session, schedule.created_by_id, f"{schedule.name} could not be started. {problem}")
        return problem
    return None


def _latest(schedule: Schedule, current: datetime) -> datetime | None:
    """The latest of its times that passed and was not dealt with."""
    return Cron(schedule.cron, schedule.zone).latest(moment(schedule.seen_until), current)


def _checked(account: Account, plan: Plan, cron: str, zone: str, catch_up: str) -> dict[str, object]:
    """Columns of a schedule. Raises Refused and OptionError."""
    check_admin(account)
    Cron(cron, zone)
    if catch_up not in CATCH_UPS:
        raise Refused(f"There is no catch-up policy {catch_up[:40]!r}; the policies are {', '.join(CATCH_UPS)}.")
    wanted = checked(plan)
    if FORMATS[wanted.format].own_page:
        raise Refused(f"A {FORMATS[wanted.format].title.lower()} cannot be scheduled; other formats can.")
    if wanted.starts_at is not None:
        raise Refused("A schedule says when its tournaments start; leave out the time of the plan.")
    if len(wanted.name) > LONGEST_NAME:
        raise Refused(f"The name of a schedule has at most {LONGEST_NAME} characters: its tournaments add their time.")
    return {"name": wanted.name, "plan": as_json(wanted), "cron": cron, "zone": zone, "catch_up": catch_up}


def _set_paused(arena: Arena, account: Account, schedule_id: int, paused: bool) -> None:
    check_admin(account)
    with arena.transaction() as session:
        schedule = _held(session, schedule_id)
        if schedule.paused == paused:
            raise Refused(f"This schedule is {'paused' if paused else 'not paused'} already.")
        schedule.paused = paused
        if not paused:
            _skip_to_now(session, schedule)


def _skip_to_now(session: Session, schedule: Schedule) -> None:
    schedule.seen_until = max(schedule.seen_until, _now(session).timestamp())


def _held(session: Session, schedule_id: int) -> Schedule:
    """The schedule, which nobody else changes until the transaction ends. Raises NotFound."""
    schedule = session.get(Schedule, schedule_id, with_for_update=True)
    if schedule is None:
        raise NotFound(f"There is no schedule {schedule_id}.")
    return schedule


def _row(schedule: Schedule, current: datetime) -> ScheduleRow:
    since = max(current, moment(schedule.seen_until))
    return ScheduleRow(
        id=schedule.id,
        name=schedule.name,
        # Not checked: what an older arena offered must not keep anybody from seeing, changing and deleting it.
        plan=Plan(**schedule.plan),
        cron=schedule.cron,
        zone=schedule.zone,
        catch_up=schedule.catch_up,
        paused=schedule.paused,
        problem=schedule.problem,
        created_by=schedule.created_by.name,
        created=moment(schedule.created),
        times=() if schedule.paused else _times(schedule, since),
    )


def _times(schedule: Schedule, since: datetime) -> tuple[datetime, ...]:
    try:
        return tuple(next_times(schedule.cron, schedule.zone, after=since))
    except Refused:
        return ()


def _shown(schedule: Schedule, time: datetime) -> str:
    return f"{time.astimezone(zone_of(schedule.zone)):%Y-%m-%d %H:%M %Z}"


def _now(session: Session) -> datetime:
    return moment(session.scalars(select(now())).one())
