"""Schedules."""

from arena.services.base.lists import cut
from arena.services.schedules import pages
from web.api import lists
from web.api.lists import Items, items, place
from web.api.operations import Resource
from web.api.types.schedules import Schedule, ScheduleDetail, schedule, schedule_detail
from web.session import arena

resource = Resource("Schedules", "Tournaments that start automatically at given times.")


@resource.get("/schedules")
def list_schedules(query: lists.Part) -> Items[Schedule]:
    """Return schedules, oldest first."""
    at = place(query)
    return items(cut(pages.schedules(arena()), at.page, at.size), at.size, schedule)


@resource.get("/schedules/{schedule_id}")
def get_schedule(schedule_id: int) -> ScheduleDetail:
    """Return a schedule and its latest tournaments."""
    return schedule_detail(pages.schedule_page(arena(), schedule_id))
