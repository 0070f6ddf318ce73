"""``arena schedule``: manage recurring tournaments on the machine that holds the database."""

from datetime import UTC
from typing import Any

import click

from arena.cli.database import opened
from arena.cli.plans import Command, chosen_plan, echo_json, echo_rows, plan_options
from arena.cli.tournament import ID, as_json, organiser
from arena.games.errors import Refused
from arena.services.schedules import actions as schedules
from arena.services.schedules import pages as schedule_pages
from arena.services.schedules.choices import phrase
from arena.services.schedules.views import CATCH_UPS, SKIP, ScheduleRow
from arena.settings import Settings

schedule_id = click.argument("schedule_id", metavar="ID", type=ID)


@click.group()
def schedule() -> None:
    """Create and manage schedules, as the first administrator.

    With --arena URL after the subcommand, or ARENA_URL: those of that arena, with your token.
    --local overrides ARENA_URL.
    """


def options(command: Command) -> Command:
    """Add the arguments of a schedule: a name, a plan, and times."""
    words = [
        click.argument("name"),
        plan_options,
        click.option("--cron", required=True, help="Times: minute, hour, day of the month, month, day of the week."),
        click.option("--zone", default="UTC", show_default=True, help="The time zone of the expression."),
        click.option(
            "--catch-up", type=click.Choice(list(CATCH_UPS)), default=SKIP, show_default=True,
            help="Times missed while the arena was down: skip them, or create one tournament for all.",
        ),
    ]  # fmt: skip
    for word in reversed(words):
        command = word(command)
    return command


@schedule.command()
@options
def create(name: str, cron: str, zone: str, catch_up: str, **words: Any) -> None:
    """Create and start a tournament called NAME at every time of a cron expression."""
    with organiser() as (arena, account):
        plan = chosen_plan(arena, name, words)
        made = schedules.create(arena, account, plan, cron, zone, catch_up)
        row = schedule_pages.schedule_page(arena, made).row
        click.echo(f"schedule {made}: {row.words}, first at {_next(row)}")


@schedule.command()
@schedule_id
@options
def change(schedule_id: int, name: str, cron: str, zone: str, catch_up: str, **words: Any) -> None:
    """Replace a schedule's name, plan and times; omitted options take their defaults. Its tournaments stay."""
    with organiser() as (arena, account):
        schedules.change(arena, account, schedule_id, chosen_plan(arena, name, words), cron, zone, catch_up)
        row = schedule_pages.schedule_page(arena, schedule_id).row
        click.echo(f"schedule {schedule_id}: {row.words}, next at {_next(row)}")


@schedule.command("list")
@as_json
def list_(as_json: bool) -> None:
    """List all schedules."""
    with opened(Settings.from_env()) as arena:
        found = schedule_pages.schedules(arena)
    if as_json:
        echo_json(found)
        return
    head = ("id", "times", "zone", "next", "name", "problem")
    echo_rows(head, [(row.id, row.words, row.zone, _next(row), row.name, row.problem or "") for row in found])


@schedule.command()
@schedule_id
def run(schedule_id: int) -> None:
    """Start a tournament of a schedule now; its times stay."""
    with organiser() as (arena, account):
        number = schedules.run(arena, account, schedule_id)
    click.echo(f"tournament {number} has started")


@schedule.command()
@schedule_id
def pause(schedule_id: int) -> None:
    """Skip the times of a schedule until it is resumed."""
    with organiser() as (arena, account):
        schedules.pause(arena, account, schedule_id)
    click.echo(f"schedule {schedule_id} is paused")


@schedule.command()
@schedule_id
def resume(schedule_id: int) -> None:
    """Resume a paused schedule."""
    with organiser() as (arena, account):
        schedules.resume(arena, account, schedule_id)
        click.echo(f"schedule {schedule_id}: next at {_next(schedule_pages.schedule_page(arena, schedule_id).row)}")


@schedule.command()
@schedule_id
def delete(schedule_id: int) -> None:
    """Delete a schedule. Its tournaments stay."""
    with organiser() as (arena, account):
        schedules.delete(arena, account, schedule_id)
    click.echo(f"schedule {schedule_id} is deleted")


@schedule.command("next")
@click.argument("when", metavar="ID|CRON")
@click.option("--zone", default="UTC", show_default=True, help="The time zone of the expression.")
@click.option("--count", type=click.IntRange(1, 1000), default=5, show_default=True, help="Number of times.")
def next_(when: str, zone: str, count: int) -> None:
    """Show the next times of a schedule, or of a cron expression (which needs no database)."""
    if when.isascii() and when.isdecimal():
        when, zone = _expression(ID.convert(int(when), None, None))
    try:
        times = schedule_pages.next_times(when, zone, count)
    except Refused as refusal:
        raise click.UsageError(str(refusal)) from None
    click.echo(f"{phrase(when)}:")
    for time in times:
        click.echo(f"{time:%a %Y-%m-%d %H:%M %Z}  {time.astimezone(UTC):%Y-%m-%d %H:%M} UTC")


def _expression(schedule_id: int) -> tuple[str, str]:
    with opened(Settings.from_env()) as arena:
        row = schedule_pages.schedule_page(arena, schedule_id).row
    return row.cron, row.zone


def _next(row: ScheduleRow) -> str:
    return f"{row.times[0]:%Y-%m-%d %H:%M %Z}" if row.times else "paused" if row.paused else "unknown"
