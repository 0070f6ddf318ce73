"""``arena schedule`` with ``--arena URL``: recurring tournaments of an arena on another machine."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from arena.remote.http import Remote
from arena.remote.options import ID, arena_option, json_option, remote
from arena.remote.plans import ANY, plan, plan_options
from arena.remote.texts import say, say_json, say_rows, tell

Command = TypeVar("Command", bound=Callable[..., Any])

schedule_id = click.argument("schedule_id", metavar="ID", type=ID)


@click.group()
def schedule() -> None:
    """Create and manage schedules of another arena, with a token for organisers.

    With --local: those of this machine's arena, even if ARENA_URL is set.
    """


def options(command: Command) -> Command:
    """Add the arguments of a schedule: a name, a plan, and times."""
    words = [
        plan_options,
        click.option("--cron", required=True, help="Times: minute, hour, day of the month, month, day of the week."),
        click.option("--zone", default="UTC", show_default=True, help="The time zone of the expression."),
        click.option(
            "--catch-up", default="skip", show_default=True,
            help="Times missed while the arena was down: skip them, or create one tournament for all (once).",
        ),
    ]  # fmt: skip
    for word in reversed(words):
        command = word(command)
    return command


@schedule.command(context_settings=ANY)
@options
def create(ctx: click.Context, url: str | None, as_json: bool, **words: Any) -> None:
    """Create and start a tournament called NAME at every time of a cron expression."""
    arena = remote(url)
    made = arena.create("/schedules", plan(arena, ctx.args, words))
    row = _page(arena, made["id"])
    tell(made, f"schedule {made['id']}: {row['words']}, first at {_next(row)}", as_json)


@schedule.command(context_settings=ANY)
@schedule_id
@options
def change(ctx: click.Context, schedule_id: int, url: str | None, as_json: bool, **words: Any) -> None:
    """Replace a schedule's name, plan and times; omitted options take their defaults. Its tournaments stay."""
    arena = remote(url)
    arena.change(f"/schedules/{schedule_id}", plan(arena, ctx.args, words))
    row = _page(arena, schedule_id)
    tell(row, f"schedule {schedule_id}: {row['words']}, next at {_next(row)}", as_json)


@schedule.command("list")
@arena_option
@json_option
def list_(url: str | None, as_json: bool) -> None:
    """List all schedules."""
    rows = list(remote(url).items("/schedules", limit=200))
    if as_json:
        return say_json(rows)
    shown = [(row["id"], row["words"], row["zone"], _next(row), row["name"], row["problem"] or "") for row in rows]
    return say_rows(("id", "times", "zone", "next", "name", "problem"), shown)


@schedule.command()
@schedule_id
@arena_option
@json_option
def run(schedule_id: int, url: str | None, as_json: bool) -> None:
    """Start a tournament of a schedule now; its times stay."""
    made = remote(url).create(f"/schedules/{schedule_id}/run")
    tell(made, f"tournament {made['id']} has started", as_json)


@schedule.command()
@schedule_id
@arena_option
@json_option
def pause(schedule_id: int, url: str | None, as_json: bool) -> None:
    """Skip the times of a schedule until it is resumed."""
    arena = remote(url)
    arena.act(f"/schedules/{schedule_id}/pause")
    tell(_page(arena, schedule_id), f"schedule {schedule_id} is paused", as_json)


@schedule.command()
@schedule_id
@arena_option
@json_option
def resume(schedule_id: int, url: str | None, as_json: bool) -> None:
    """Resume a paused schedule."""
    arena = remote(url)
    arena.act(f"/schedules/{schedule_id}/resume")
    row = _page(arena, schedule_id)
    tell(row, f"schedule {schedule_id}: next at {_next(row)}", as_json)


@schedule.command()
@schedule_id
@arena_option
@json_option
def delete(schedule_id: int, url: str | None, as_json: bool) -> None:
    """Delete a schedule. Its tournaments stay."""
    remote(url).delete(f"/schedules/{schedule_id}")
    tell({"id": schedule_id}, f"schedule {schedule_id} is deleted", as_json)


@schedule.command("next")
@click.argument("when", metavar="ID|CRON")
@click.option("--zone", default="UTC", show_default=True, help="The time zone of the expression.")
@click.option("--count", type=click.IntRange(1, 50), default=5, show_default=True, help="Number of times.")
@arena_option
@json_option
def next_(when: str, zone: str, count: int, url: str | None, as_json: bool) -> None:
    """Show the next times of a schedule, or of a cron expression."""
    arena = remote(url)
    if when.isascii() and when.isdecimal():
        row = _page(arena, ID.convert(int(when), None, None))
        when, zone = row["cron"], row["zone"]
    found = arena.get("/schedules/times", cron=when, zone=zone, count=count)
    if as_json:
        return say_json(found)
    say(f"{found['words']}:")
    for time in found["times"]:
        say(f"{_local(time, zone):%a %Y-%m-%d %H:%M %Z}  {_local(time, 'UTC'):%Y-%m-%d %H:%M} UTC")
    return None


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
