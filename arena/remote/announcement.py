"""``arena announcement``: messages that every page shows."""

from datetime import UTC, datetime

import click

from arena.remote.http import Remote
from arena.remote.options import ID, Result, Timestamp, prints
from arena.remote.texts import minute, table


@click.group()
def announcement() -> None:
    """Post and end announcements on every page, as an administrator."""


@announcement.command()
@click.argument("text")
@click.option(
    "--until", type=Timestamp(), required=True, help="The end of the announcement. UTC unless it has an offset."
)
@click.option("--severity", type=click.Choice(["info", "warning", "urgent"]), default="info", show_default=True)
@prints
def post(arena: Remote, text: str, until: datetime, severity: str) -> Result:
    """Show TEXT on every page."""
    made = arena.create("/announcements", {"text": text, "severity": severity, "until": until.isoformat()})
    return Result(made, [f"announcement {made['id']} is shown until {until.astimezone(UTC):%Y-%m-%d %H:%M} UTC"])


@announcement.command("list")
@prints
def list_(arena: Remote) -> Result:
    """List the latest announcements."""
    found = arena.get("/administration/announcements")
    rows = [(row["id"], row["severity"], "over" if row["over"] else minute(row["until"]), row["text"]) for row in found]
    return Result(found, table(("id", "severity", "until", "text"), rows))


@announcement.command()
@click.argument("announcement_id", metavar="ID", type=ID)
@prints
def end(arena: Remote, announcement_id: int) -> Result:
    """End an announcement now."""
    arena.act(f"/announcements/{announcement_id}/end")
    return Result({"id": announcement_id}, [f"announcement {announcement_id} has ended"])
