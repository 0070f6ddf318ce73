"""``arena group``: create and manage groups of members."""

from datetime import datetime
from typing import Any, BinaryIO

import click

from arena.games.errors import NotFound, Refused
from arena.remote.actions import Thing
from arena.remote.http import Remote
from arena.remote.invite import last_moment, link, until_option
from arena.remote.names import group_id
from arena.remote.options import Result, own_arena_option, own_or_remote, prints
from arena.remote.texts import table

group_name = click.argument("name", metavar="GROUP")


@click.group()
def group() -> None:
    """Create and manage groups of members, such as classes, as an organiser."""


@group.command()
@group_name
@prints
def create(arena: Remote, name: str) -> Result:
    """Create an empty group."""
    made = arena.create("/groups", {"name": name})
    return Result(made, [f"group {made['id']}: {name}"])


@group.command("list")
@prints
def list_(arena: Remote) -> Result:
    """List all groups."""
    rows = list(arena.items("/groups", limit=200))
    shown = [(row["id"], row["members"], row["waiting"], row["name"]) for row in rows]
    return Result(rows, table(("id", "members", "waiting", "name"), shown))


@group.command()
@group_name
@prints
def show(arena: Remote, name: str) -> Result:
    """Show the members of a group, with real names, and the links of people who have not joined yet."""
    page = _page(arena, name)
    members = [(row["name"], row["bots"], (row["latest"] or "-")[:10], row["real_name"]) for row in page["members"]]
    waiting = (f"{row['state']}  {link(arena, row)}  {row['real_name']}" for row in page["waiting"])
    return Result(page, [*table(("account", "bots", "latest", "real name"), members), *waiting])


@group.command()
@group_name
@click.argument("new_name")
@prints
def rename(arena: Remote, name: str, new_name: str) -> Result:
    """Rename a group."""
    number = group_id(arena, name)
    arena.change(f"/groups/{number}", {"name": new_name})
    return Result({"id": number, "name": new_name}, [f"{name} is now {new_name}"])


Thing(group, "/groups", "GROUP", group_id).delete(
    "Delete a group and revoke its invitations. Its members keep their accounts.", "{} is deleted"
)


@group.command()
@group_name
@click.argument("member", metavar="ACCOUNT")
@prints
def remove(arena: Remote, name: str, member: str) -> Result:
    """Remove a member from a group. The account stays."""
    page = _page(arena, name)
    user = next((row["user_id"] for row in page["members"] if row["name"].lower() == member.lower()), None)
    if user is None:
        raise NotFound(f"There is no member {member} of {page['name']}.")
    arena.delete(f"/groups/{page['id']}/members/{user}")
    return Result({"user_id": user}, [f"{member} is no longer a member of {name}"])


@group.command("import")
@group_name
@click.argument("file", type=click.File("rb"))
@until_option
@prints
def import_(arena: Remote, name: str, file: BinaryIO, until: datetime | None) -> Result:
    """Add the people of a roster in CSV (- for standard input), with the columns account, real_name or both.

    A line without an account makes an invitation link for that person; `arena group export` prints the links.
    """
    body = {"csv": _text(file), "expires": last_moment(until)}
    done = arena.act(f"/groups/{group_id(arena, name)}/members", body)
    counts = ("members added: {added}", "real names changed: {renamed}", "people invited: {invited}")
    return Result(done, [", ".join(counts).format(**done)])


@group.command()
@group_name
@own_arena_option
def export(name: str, url: str | None) -> None:
    """Print the roster of a group as CSV, with the links of people who have not joined yet."""
    arena = own_or_remote(url)
    click.echo(arena.sheet(f"/groups/{group_id(arena, name)}/roster"), nl=False)


def _page(arena: Remote, name: str) -> Any:
    return arena.get(f"/groups/{group_id(arena, name)}")


def _text(file: BinaryIO) -> str:
    """Return the text of a roster. Raises `Refused`."""
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("The file is not in UTF-8. In Excel, save it as “CSV UTF-8 (comma delimited)”.") from None
