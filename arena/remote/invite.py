"""``arena invite``: create and manage invitation links."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import click

from arena.remote.actions import Thing
from arena.remote.http import Remote
from arena.remote.names import group_id
from arena.remote.options import ID, Result, prints
from arena.remote.texts import minute, table

invitation_id = click.argument("invitation_id", metavar="ID", type=ID)
until_option = click.option(
    "--until", type=click.DateTime(["%Y-%m-%d"]), help="The last day of the links, in UTC; in 14 days by default."
)


def last_moment(until: datetime | None) -> str:
    """Return the end of links that are valid through a day, which is in 14 days by default."""
    day: date = (until or datetime.now(UTC) + timedelta(days=14)).date()
    return datetime.combine(day, time.max, UTC).isoformat()


def link(arena: Remote, row: Any) -> str:
    """Return the link of an invitation; only its path if the public URL of this machine's arena is not set."""
    return f"{arena.site}{row['path']}"


@click.group()
def invite() -> None:
    """Create and manage invitation links, as an organiser."""


@invite.command()
@click.option("--group", metavar="NAME", help="The group that people join.")
@click.option("--uses", type=int, default=1, show_default=True, help="Number of people who can use the link.")
@until_option
@prints
def create(arena: Remote, group: str | None, uses: int, until: datetime | None) -> Result:
    """Create an invitation, and print its link."""
    joined = None if group is None else group_id(arena, group)
    made = arena.create("/invitations", {"uses": uses, "expires": last_moment(until), "group_id": joined})
    row = arena.get(f"/invitations/{made['id']}")
    return Result(row, [f"invitation {row['id']}: {link(arena, row)}"])


@invite.command("list")
@prints
def list_(arena: Remote) -> Result:
    """List the latest invitations for several people."""
    rows = list(arena.items("/invitations", limit=200))
    head = ("id", "state", "used", "until", "link", "group")
    return Result(rows, table(head, (_columns(arena, row) for row in rows)))


@invite.command()
@invitation_id
@prints
def show(arena: Remote, invitation_id: int) -> Result:
    """Show an invitation and who used it."""
    row = arena.get(f"/invitations/{invitation_id}")
    used = f"used {row['used']} of {row['uses']}"
    head = f"{link(arena, row)}: {row['state']}, {used}, until {row['expires'][:10]}"
    return Result(row, [head, *(f"{minute(use['at'])}  {use['name']}" for use in row["joined"])])


Thing(invite, "/invitations").act(
    "revoke", "Revoke an invitation. Members who used it stay.", "invitation {} is revoked"
)


def _columns(arena: Remote, row: Any) -> tuple[object, ...]:
    used = f"{row['used']}/{row['uses']}"
    return row["id"], row["state"], used, row["expires"][:10], link(arena, row), row["group"] or ""
