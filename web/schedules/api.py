"""Schedules."""

from datetime import UTC
from typing import Annotated

from msgspec import Meta

from arena.services.base.lists import cut
from arena.services.people.keys import Scope
from arena.services.schedules import pages
from arena.services.schedules.choices import phrase
from web.api import lists
from web.api.lists import Items, items_of, place
from web.api.operations import Resource
from web.api.types.actions import Cron, Input, Zone
from web.api.types.schedules import NextTimes, Schedule, ScheduleDetail, schedule, schedule_detail
from web.serving.session import arena

resource = Resource("Schedules", "Tournaments that start automatically at given times.")


class TimesQuery(Input):
    """A cron expression."""

    cron: Cron
    zone: Zone = "UTC"
    count: Annotated[int, Meta(ge=1, le=50, description="Number of times.")] = 5


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
