"""``arena member``: look up members, disable and enable them. `arena account` changes passwords and rights."""

from collections.abc import Iterator
from typing import Any

import click

from arena.remote.actions import Thing
from arena.remote.http import Remote
from arena.remote.names import member_id
from arena.remote.options import Result, page_option, part, prints
from arena.remote.texts import minute, table


@click.group()
def member() -> None:
    """Look up members, and disable or enable them, as an administrator."""


@member.command("list")
@click.option("--search", default="", help="A part of the name.")
@click.option(
    "--only", type=click.Choice(["member", "organiser", "administrator", "disabled"]), help="Only these members."
)
@page_option
@prints
def list_(arena: Remote, search: str, only: str | None, page: int) -> Result:
    """List members by name."""
    rows = part(arena, "/members", page, search=search, only=only or "")
    head = ("name", "role", "bots", "sessions", "last active", "disabled")
    return Result(rows, table(head, map(_columns, rows)))


@member.command()
@click.argument("name")
@prints
def show(arena: Remote, name: str) -> Result:
    """Show the member NAME: role, bots, and what the audit log says about them."""
    page = arena.get(f"/members/{member_id(arena, name)}")
    return Result(page, _shown(page))


_member = Thing(member, "/members", "NAME", member_id)
_member.act(
    "disable", "Disable the member NAME, who can no longer log in and whose bots enter nothing new.", "{} is disabled",
    reason="The reason, which the member reads at log-in.",
)  # fmt: skip
_member.act("enable", "Enable the disabled member NAME, and their bots.", "{} is enabled")
_member.act("log-out", "End all sessions of the member NAME.", "the sessions of {} have ended", verb="logout")


def _columns(row: Any) -> tuple[object, ...]:
    active = minute(row["active"]) if row["active"] else "never"
    return row["name"], row["role"], row["bots"], row["sessions"], active, row["disabled"] or ""


def _shown(page: Any) -> Iterator[str]:
    yield f"{page['name']}: {page['role']}, registered {page['created'][:10]}, sessions: {page['sessions']}"
    if page["disabled"] is not None:
        yield f"disabled: {page['disabled']}"
    for bot in page["owned"]:
        yield f"bot {bot['name']}, versions: {bot['versions']}{', disabled' if bot['barred'] else ''}"
    for entry in page["log"]:
        yield f"{minute(entry['at'])} {entry['actor']} {entry['action']}: {entry['detail']}".removesuffix(": ")
