"""Actions on schedules: create, change, pause, resume and delete."""

from dataclasses import replace
from typing import Final

from sqlalchemy import update
from sqlalchemy.orm import Session

from arena.db.models import Schedule, Tournament
from arena.games.errors import Conflict, NotFound, Refused
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.times import database_time
from arena.services.formats.plans import Plan, as_json, checked, from_json
from arena.services.formats.registry import FORMATS
from arena.services.people import audit
from arena.services.schedules.crons import Cron
from arena.services.schedules.runs import mark, shown
from arena.services.schedules.views import CATCH_UPS, SKIP
from arena.services.tournaments import stages, starts
from arena.words import N_, _

LONGEST_NAME: Final = 50
"""Maximum length of a name, because tournaments append their time to it."""
UNPLANNED: Final = {
    "comparison": N_("A comparison cannot be scheduled; other formats can."),
    "ladder": N_("A ladder cannot be scheduled; other formats can."),
    "trial": N_("A trial cannot be scheduled; other formats can."),
}
"""Refusals of formats that are not planned."""


def create(arena: Arena, account: Account, plan: Plan, cron: str, zone: str, catch_up: str = SKIP) -> int:
    """Create a schedule that runs from now on, and return its ID. Raises `Refused` and `OptionError`."""
    values = _checked(account, plan, cron, zone, catch_up)
    with arena.transaction() as session:
        schedule = Schedule(**values, created_by_id=account.id)
        mark(schedule, database_time(session).timestamp())
        session.add(schedule)
        session.flush()
        _note(session, account, "created a schedule", schedule)
        return schedule.id


def change(
    arena: Arena, account: Account, schedule_id: int, plan: Plan, cron: str, zone: str, catch_up: str = SKIP
) -> None:
    """Replace all settings of a schedule. Its existing tournaments stay as they are.

    Raises `NotFound`, `Refused` and `OptionError`.
    """
    values = _checked(account, plan, cron, zone, catch_up)
    with arena.transaction() as session:
        schedule = _locked(session, schedule_id)
        new_times = (schedule.cron, schedule.zone) != (cron, zone)
        for name, value in values.items():
            setattr(schedule, name, value)
        schedule.problem = None
        if new_times:
            _skip_to_now(session, schedule)
        _note(session, account, "changed a schedule", schedule)


def run(arena: Arena, account: Account, schedule_id: int) -> int:
    """Start a tournament of a schedule now, in addition to those of its times. Returns the tournament's ID.

    Raises `NotFound`, `Refused` and `OptionError`.
    """
    check_organiser(account)
    with arena.reading() as session:
        stored = from_json(_found(session, schedule_id).plan)
    starts.prepare(arena, stored)
    with arena.transaction() as session:
        schedule = _found(session, schedule_id)
        name = f"{schedule.name} {shown(schedule, database_time(session))}"
        tournament = starts.draft(session, replace(stored, name=name), account.id, schedule_id=schedule_id)
        starts.begin(session, tournament)
        _note(session, account, "ran a schedule at once", schedule)
    stages.advance(arena, tournament.id)
    return tournament.id


def pause(arena: Arena, account: Account, schedule_id: int) -> None:
    """Pause a schedule, so that its times pass without a tournament. Raises `Refused` and `NotFound`."""
    _set_paused(arena, account, schedule_id, True)


def resume(arena: Arena, account: Account, schedule_id: int) -> None:
    """Resume a paused schedule from now on, without catching up on missed times. Raises `Refused` and `NotFound`."""
    _set_paused(arena, account, schedule_id, False)


def delete(arena: Arena, account: Account, schedule_id: int) -> None:
    """Delete a schedule. Its tournaments stay. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    with arena.transaction() as session:
        schedule = _locked(session, schedule_id)
        session.execute(update(Tournament).where(Tournament.schedule_id == schedule_id).values(schedule_id=None))
        _note(session, account, "deleted a schedule", schedule)
        session.delete(schedule)


def _checked(account: Account, plan: Plan, cron: str, zone: str, catch_up: str) -> dict[str, object]:
    """Validate the settings of a schedule, and return them as columns. Raises `Refused` and `OptionError`."""
    check_organiser(account)
    Cron(cron, zone)
    if catch_up not in CATCH_UPS:
        known = ", ".join(CATCH_UPS)
        raise Refused(
            _("%(value)s is not a catch-up policy; the policies are %(known)s.", value=repr(catch_up[:40]), known=known)
        )
    wanted = checked(plan)
    if FORMATS[wanted.format].own_page:
        raise Refused(_(UNPLANNED[wanted.format]))
    if wanted.starts_at is not None:
        raise Refused(_("The schedule sets when its tournaments start; leave out the start time of the plan."))
    if len(wanted.name) > LONGEST_NAME:
        raise Refused(
            _(
                "The name of a schedule has at most %(most)s characters, because its tournaments add their time; "
                "this one has %(length)s.",
                most=LONGEST_NAME,
                length=len(wanted.name),
            )
        )
    return {"name": wanted.name, "plan": as_json(wanted), "cron": cron, "zone": zone, "catch_up": catch_up}


def _set_paused(arena: Arena, account: Account, schedule_id: int, paused: bool) -> None:
    check_organiser(account)
    with arena.transaction() as session:
        schedule = _locked(session, schedule_id)
        if schedule.paused == paused:
            raise Conflict(_("The schedule is already paused.") if paused else _("The schedule is not paused."))
        schedule.paused = paused
        if not paused:
            _skip_to_now(session, schedule)
        _note(session, account, "paused a schedule" if paused else "resumed a schedule", schedule)


def _note(session: Session, account: Account, action: str, schedule: Schedule) -> None:
    audit.note(session, account, action, f"schedule {schedule.id}", schedule.name)


def _skip_to_now(session: Session, schedule: Schedule) -> None:
    mark(schedule, max(schedule.seen_until, database_time(session).timestamp()))


def _locked(session: Session, schedule_id: int) -> Schedule:
    """Return the schedule with its row locked until the transaction ends. Raises `NotFound`."""
    return _found(session, schedule_id, lock=True)


def _found(session: Session, schedule_id: int, lock: bool = False) -> Schedule:
    schedule = session.get(Schedule, schedule_id, with_for_update=lock)
    if schedule is None:
        raise NotFound(_("There is no schedule %(id)s.", id=schedule_id))
    return schedule
