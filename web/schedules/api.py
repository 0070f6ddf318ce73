"""Schedules."""

from datetime import UTC
from typing import Annotated

from msgspec import Meta

from arena.services.base.inputs import Change, Input, Text
from arena.services.base.lists import cut
from arena.services.people.keys import Scope
from arena.services.schedules import actions as schedules
from arena.services.schedules import pages
from arena.services.schedules.choices import phrase
from web.api import lists
from web.api.lists import Items, items_of, place
from web.api.operations import Resource
from web.api.types.actions import Created, Cron, Zone, created
from web.api.types.schedules import NextTimes, Schedule, ScheduleDetail, schedule, schedule_detail
from web.serving.session import arena, member
from web.tournaments.inputs import NewPlan, changed, fields_of, plan

resource = Resource("Schedules", "Tournaments that start automatically at given times.")


class TimesQuery(Input):
    """A cron expression."""

    cron: Cron
    zone: Zone = "UTC"
    count: Annotated[int, Meta(ge=1, le=1000, description="Number of times.")] = 5


class NewSchedule(NewPlan, kw_only=True):
    """A schedule."""

    cron: Cron
    zone: Zone = "UTC"
    catch_up: Annotated[
        Text, Meta(description="`skip` or `once`: what to do with times missed while the arena was down.")
    ] = "skip"


@resource.get("/schedules")
def list_schedules(query: lists.Part) -> Items[Schedule]:
    """Return schedules, oldest first."""
    at = place(query)
    return items_of(schedule, cut(pages.schedules(arena()), at.page, at.size), at.size)


@resource.get("/schedules/{schedule_id}")
def get_schedule(schedule_id: int) -> ScheduleDetail:
    """Return a schedule and its latest tournaments."""
    return schedule_detail(pages.schedule_page(arena(), schedule_id))


@resource.get("/schedules/times", Scope.ORGANISE, shared=False)
def get_times(query: TimesQuery) -> NextTimes:
    """Return the next times of a cron expression, before a schedule is made of it."""
    found = pages.next_times(query.cron, query.zone, query.count)
    return NextTimes(query.cron, query.zone, phrase(query.cron), tuple(time.astimezone(UTC) for time in found))


@resource.post("/schedules", Scope.ORGANISE, creates=True)
def create_schedule(body: NewSchedule) -> Created:
    """Create a schedule."""
    number = schedules.create(arena(), member(), plan(body), body.cron, body.zone, body.catch_up)
    return created("schedules", number)


@resource.patch("/schedules/{schedule_id}", Scope.ORGANISE)
def change_schedule(schedule_id: int, body: Change[NewSchedule]) -> None:
    """Change a schedule. Existing tournaments stay as they are."""
    row = pages.schedule_page(arena(), schedule_id).row
    old = NewSchedule(**fields_of(row.plan), cron=row.cron, zone=row.zone, catch_up=row.catch_up)
    wanted = changed(old, body)
    schedules.change(arena(), member(), schedule_id, plan(wanted), wanted.cron, wanted.zone, wanted.catch_up)


@resource.delete("/schedules/{schedule_id}", Scope.ORGANISE)
def delete_schedule(schedule_id: int) -> None:
    """Delete a schedule. Its tournaments stay."""
    schedules.delete(arena(), member(), schedule_id)


@resource.post("/schedules/{schedule_id}/run", Scope.ORGANISE, creates=True, makes="tournaments")
def run_schedule(schedule_id: int) -> Created:
    """Start a tournament of a schedule now. Its next times do not change."""
    return created("tournaments", schedules.run(arena(), member(), schedule_id))


@resource.post("/schedules/{schedule_id}/pause", Scope.ORGANISE)
def pause_schedule(schedule_id: int) -> None:
    """Pause a schedule: no tournaments start until it is resumed."""
    schedules.pause(arena(), member(), schedule_id)


@resource.post("/schedules/{schedule_id}/resume", Scope.ORGANISE)
def resume_schedule(schedule_id: int) -> None:
    """Resume a schedule. Missed times are skipped."""
    schedules.resume(arena(), member(), schedule_id)
