"""``arena schedule``: create and manage recurring tournaments."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from arena.remote.actions import Thing
from arena.remote.http import Remote
from arena.remote.options import ID, Command, Result, prints
from arena.remote.plans import ANY, plan, plan_options
from arena.remote.texts import table

schedule_id = click.argument("schedule_id", metavar="ID", type=ID)


@click.group()
def schedule() -> None:
    """Create and manage schedules.

    Those of this machine's arena, as the first administrator; or, with --arena URL after the subcommand or ARENA_URL,
    those of that arena, with a token for organisers. --local overrides ARENA_URL.
    """


def options(command: Command) -> Command:
    """Add the arguments of a schedule: a name, a plan, and times."""
    words = [
        plan_options,
        click.option("--cron", required=True, help="Times: minute, hour, day of the month, month, day of the week."),
        click.option("--zone", default="UTC", show_default=True, help="The time zone of the expression."),
        click.option(
            "--catch-up", type=click.Choice(["skip", "once"]), default="skip", show_default=True,
            help="Times missed while the arena was down: skip them, or create one tournament for all.",
        ),
    ]  # fmt: skip
    for word in reversed(words):
        command = word(command)
    return command


@schedule.command(context_settings=ANY)
@options
@prints
def create(arena: Remote, **words: Any) -> Result:
    """Create and start a tournament called NAME at every time of a cron expression."""
    made = arena.create("/schedules", plan(arena, words))
    row = _page(arena, made["id"])
    return Result(made, [f"schedule {made['id']}: {row['words']}, first at {_next(row)}"])


@schedule.command(context_settings=ANY)
@schedule_id
@options
@prints
def change(arena: Remote, schedule_id: int, **words: Any) -> Result:
    """Replace a schedule's name, plan and times; omitted options take their defaults. Its tournaments stay."""
    arena.change(f"/schedules/{schedule_id}", plan(arena, words))
    row = _page(arena, schedule_id)
    return Result(row, [f"schedule {schedule_id}: {row['words']}, next at {_next(row)}"])


@schedule.command("list")
@prints
def list_(arena: Remote) -> Result:
    """List all schedules."""
    rows = list(arena.items("/schedules", limit=200))
    shown = [(row["id"], row["words"], row["zone"], _next(row), row["name"], row["problem"] or "") for row in rows]
    return Result(rows, table(("id", "times", "zone", "next", "name", "problem"), shown))


@schedule.command()
@schedule_id
@prints
def run(arena: Remote, schedule_id: int) -> Result:
    """Start a tournament of a schedule now; its times stay."""
    made = arena.create(f"/schedules/{schedule_id}/run")
    return Result(made, [f"tournament {made['id']} has started"])


@schedule.command()
@schedule_id
@prints
def resume(arena: Remote, schedule_id: int) -> Result:
    """Resume a paused schedule."""
    arena.act(f"/schedules/{schedule_id}/resume")
    row = _page(arena, schedule_id)
    return Result(row, [f"schedule {schedule_id}: next at {_next(row)}"])


_schedule = Thing(schedule, "/schedules")
_schedule.act("pause", "Skip the times of a schedule until it is resumed.", "schedule {} is paused")
_schedule.delete("Delete a schedule. Its tournaments stay.", "schedule {} is deleted")


@schedule.command("next")
@click.argument("when", metavar="ID|CRON")
@click.option("--zone", default="UTC", show_default=True, help="The time zone of the expression.")
@click.option("--count", type=click.IntRange(1, 1000), default=5, show_default=True, help="Number of times.")
@prints
def next_(arena: Remote, when: str, zone: str, count: int) -> Result:
    """Show the next times of a schedule, or of a cron expression."""
    if when.isascii() and when.isdecimal():
        row = _page(arena, ID.convert(int(when), None, None))
        when, zone = row["cron"], row["zone"]
    found = arena.get("/schedules/times", cron=when, zone=zone, count=count)
    times = [
        f"{_local(time, zone):%a %Y-%m-%d %H:%M %Z}  {_local(time, 'UTC'):%Y-%m-%d %H:%M} UTC"
        for time in found["times"]
    ]
    return Result(found, [f"{found['words']}:", *times])


def _page(arena: Remote, schedule_id: int) -> Any:
    return arena.get(f"/schedules/{schedule_id}")


def _next(row: Any) -> str:
    if row["times"]:
        return f"{_local(row['times'][0], row['zone']):%Y-%m-%d %H:%M %Z}"
    return "paused" if row["paused"] else "unknown"


def _local(time: str, zone: str) -> datetime:
    """Return a time of the arena in a zone, or in UTC if this machine does not know the zone."""
    try:
        return datetime.fromisoformat(time).astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError):
        return datetime.fromisoformat(time).astimezone(UTC)
