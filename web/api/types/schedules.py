"""Schedules and the plans of their tournaments."""

from datetime import UTC, datetime
from typing import Annotated, Any

from arena.services.formats.plans import Plan as PlanView
from arena.services.schedules.views import SchedulePage, ScheduleRow
from arena.services.tournaments.views import TournamentRow
from web.api.types.base import Part, Time, made, says


class Plan(Part):
    """Settings of a tournament that an organiser chooses."""

    name: str
    variant: str
    format: str
    shape: Annotated[dict[str, Any], says("The format's own numbers, by name.")]
    boards: Annotated[int | None, says("Number of sets of boards per table; null for the variant's own number.")]
    seatings: str
    entry_rule: str
    chosen: Annotated[tuple[int, ...] | None, says("IDs of the chosen bots; null for other entry rules.")]
    fault_cap: Annotated[int | None, says("Largest number of failed matches of a bot that is not withdrawn.")]
    starts_at: Annotated[Time | None, says("Scheduled start; null if it is started by hand.")]


class Schedule(ScheduleRow, frozen=True):
    """A schedule in a list."""

    plan: Plan  # type: ignore[assignment]


class ScheduleDetail(Schedule, frozen=True):
    """A schedule with its tournaments."""

    tournaments: Annotated[tuple[TournamentRow, ...], says("Latest tournaments, newest first.")]


class NextTimes(Part):
    """Next times of a cron expression."""

    cron: str
    zone: Annotated[str, says("IANA name of the time zone of `cron`.")]
    words: Annotated[str, says("Times in words.")]
    times: tuple[Time, ...]


def plan(view: PlanView) -> Plan:
    """Return a plan."""
    starts_at = None if view.starts_at is None else datetime.fromtimestamp(view.starts_at, UTC)
    return made(Plan, view, starts_at=starts_at)


def schedule(row: ScheduleRow) -> Schedule:
    """Return a schedule of a list."""
    return made(Schedule, row, **_own(row))


def schedule_detail(page: SchedulePage) -> ScheduleDetail:
    """Return a schedule with its tournaments."""
    return made(ScheduleDetail, page.row, **_own(page.row), tournaments=page.tournaments)


def _own(row: ScheduleRow) -> dict[str, Any]:
    return {"plan": plan(row.plan), "times": tuple(time.astimezone(UTC) for time in row.times)}
