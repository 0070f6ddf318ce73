"""``arena schedule``: tournaments that come again and again, from the machine that holds the database."""

from datetime import UTC
from typing import Any

import click

from arena.cli.database import opened
from arena.cli.plans import Command, chosen_plan, echo_json, echo_rows, plan_options
from arena.cli.tournament import ID, as_json, organiser
from arena.games.errors import Refused
from arena.services import schedules
from arena.services.schedules import CATCH_UPS, SKIP
from arena.settings import Settings

schedule_id = click.argument("schedule_id", metavar="ID", type=ID)


@click.group()
def schedule() -> None:
    """Make and steer schedules, as the first administrator."""


def options(command: Command) -> Command:
    """Adds what makes a schedule: a name, a plan, and when."""
    words = [
        click.argument("name"),
        plan_options,
        click.option("--cron", required=True, help="When: minute, hour, day of the month, month, day of the week."),
        click.option("--zone", default="UTC", show_default=True, help="The time zone in which that is meant."),
        click.option(
            "--catch-up", type=click.Choice(list(CATCH_UPS)), default=SKIP, show_default=True,
            help="About times that passed while the arena was down: skip them, or make one tournament for all.",
        ),
    ]  # fmt: skip
    for word in reversed(words):
        command = word(command)
    return command


@schedule.command()
@options
def create(name: str, cron: str, zone: str, catch_up: str, **words: Any) -> None:
    """Have a tournament called NAME made and started at every time of a cron expression."""
    with organiser() as (arena, account):
        plan = chosen_plan(arena, name, words)
        made = schedules.create(arena, account, plan, cron, zone, catch_up)
        click.echo(f"schedule {made}: first at {_next(schedules.schedule_page(arena, made).row)}")


@schedule.command()
@schedule_id
@options
def change(schedule_id: int, name: str, cron: str, zone: str, catch_up: str, **words: Any) -> None:
    """Give a schedule another name, plan and times: what is not said is as in a new one. What it has made stays."""
    with organiser() as (arena, account):
        schedules.change(arena, account, schedule_id, chosen_plan(arena, name, words), cron, zone, catch_up)
        click.echo(f"schedule {schedule_id}: next at {_next(schedules.schedule_page(arena, schedule_id).row)}")


@schedule.command("list")
@as_json
def list_(as_json: bool) -> None:
    """List all schedules."""
    with opened(Settings.from_env()) as arena:
        found = schedules.schedules(arena)
    if as_json:
        echo_json(found)
        return
    head = ("id", "cron", "zone", "next", "name", "problem")
    echo_rows(head, [(row.id, row.cron, row.zone, _next(row), row.name, row.problem or "") for row in found])


@schedule.command()
@schedule_id
def pause(schedule_id: int) -> None:
    """Let the times of a schedule pass until it is resumed."""
    with organiser() as (arena, account):
        schedules.pause(arena, account, schedule_id)
    click.echo(f"schedule {schedule_id} is paused")


@schedule.command()
@schedule_id
def resume(schedule_id: int) -> None:
    """Heed the times of a schedule again, from now on."""
    with organiser() as (arena, account):
        schedules.resume(arena, account, schedule_id)
        click.echo(f"schedule {schedule_id}: next at {_next(schedules.schedule_page(arena, schedule_id).row)}")


@schedule.command()
@schedule_id
def delete(schedule_id: int) -> None:
    """Forget a schedule. Its tournaments stay."""
    with organiser() as (arena, account):
        schedules.delete(arena, account, schedule_id)
    click.echo(f"schedule {schedule_id} is deleted")


@schedule.command("next")
@click.argument("when", metavar="ID|CRON")
@click.option("--zone", default="UTC", show_default=True, help="The time zone in which the expression is meant.")
@click.option("--count", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many times.")
def next_(when: str, zone: str, count: int) -> None:
    """Show the next times of a schedule, or of a cron expression (which needs no database)."""
    if when.isascii() and when.isdecimal():
        when, zone = _expression(ID.convert(int(when), None, None))
    try:
        times = schedules.next_times(when, zone, count)
    except Refused as refusal:
        raise click.UsageError(str(refusal)) from None
    for time in times:
        click.echo(f"{time:%a %Y-%m-%d %H:%M %Z}  {time.astimezone(UTC):%Y-%m-%d %H:%M} UTC")


def _expression(schedule_id: int) -> tuple[str, str]:
    with opened(Settings.from_env()) as arena:
        row = schedules.schedule_page(arena, schedule_id).row
    return row.cron, row.zone


def _next(row: schedules.ScheduleRow) -> str:
    return f"{row.times[0]:%Y-%m-%d %H:%M %Z}" if row.times else "paused" if row.paused else "unknown"
