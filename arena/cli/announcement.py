"""``arena announcement``: messages that every page shows."""

from datetime import datetime

import click

from arena.cli.database import opened
from arena.cli.plans import echo_json, echo_rows
from arena.cli.tournament import ID, as_json, organiser
from arena.remote.times import Timestamp
from arena.services.administration import announcements
from arena.services.base.states import Severity
from arena.settings import Settings


@click.group()
def announcement() -> None:
    """Post and end announcements on every page, as the first administrator."""


@announcement.command()
@click.argument("text")
@click.option(
    "--until", type=Timestamp(), required=True, help="The end of the announcement. UTC unless it has an offset."
)
@click.option(
    "--severity", type=click.Choice([str(one) for one in Severity]), default=str(Severity.INFO), show_default=True
)
def post(text: str, until: datetime, severity: str) -> None:
    """Show TEXT on every page."""
    with organiser() as (arena, actor):
        number = announcements.post(arena, actor, text, severity, until)
    click.echo(f"announcement {number} is shown until {until:%Y-%m-%d %H:%M %Z}")


@announcement.command("list")
@as_json
def list_(as_json: bool) -> None:
    """List the latest announcements."""
    with opened(Settings.from_env()) as arena:
        found = announcements.latest(arena)
    if as_json:
        echo_json(found)
        return
    rows = [(row.id, row.severity, "over" if row.over else f"{row.until:%Y-%m-%d %H:%M}", row.text) for row in found]
    echo_rows(("id", "severity", "until", "text"), rows)


@announcement.command()
@click.argument("announcement_id", metavar="ID", type=ID)
def end(announcement_id: int) -> None:
    """End an announcement now."""
    with organiser() as (arena, actor):
        announcements.end(arena, actor, announcement_id)
    click.echo(f"announcement {announcement_id} has ended")
