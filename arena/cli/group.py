"""``arena group``: manage groups of members on the machine that holds the database."""

from datetime import datetime
from typing import BinaryIO

import click

from arena.cli.invite import last_moment, link, until_option
from arena.cli.plans import echo_json, echo_rows
from arena.cli.tournament import as_json, organiser
from arena.services.people import accounts, groups, rosters

group_name = click.argument("name", metavar="GROUP")


@click.group()
def group() -> None:
    """Create and manage groups of members, such as classes, as the first administrator."""


@group.command()
@group_name
def create(name: str) -> None:
    """Create an empty group."""
    with organiser() as (arena, account):
        made = groups.create(arena, account, name)
    click.echo(f"group {made}: {name}")


@group.command("list")
@as_json
def list_(as_json: bool) -> None:
    """List all groups."""
    with organiser() as (arena, account):
        found = rosters.all_groups(arena, account)
    if as_json:
        echo_json(found)
        return
    echo_rows(("id", "members", "waiting", "name"), [(row.id, row.members, row.waiting, row.name) for row in found])


@group.command()
@group_name
@as_json
def show(name: str, as_json: bool) -> None:
    """Show the members of a group, with real names, and the links of people who have not joined yet."""
    with organiser() as (arena, account):
        page = rosters.roster(arena, account, rosters.group_id_of(arena, name))
    if as_json:
        echo_json(page)
        return
    members = [
        (row.member.name, row.bots, f"{row.latest:%Y-%m-%d}" if row.latest else "-", row.member.real_name)
        for row in page.members
    ]
    echo_rows(("account", "bots", "latest", "real name"), members)
    for row in page.waiting:
        click.echo(f"{row.state}  {link(arena, row.token)}  {row.real_name}")


@group.command()
@group_name
@click.argument("new_name")
def rename(name: str, new_name: str) -> None:
    """Rename a group."""
    with organiser() as (arena, account):
        groups.rename(arena, account, rosters.group_id_of(arena, name), new_name)
    click.echo(f"{name} is now {new_name}")


@group.command()
@group_name
def delete(name: str) -> None:
    """Delete a group and revoke its invitations. Its members keep their accounts."""
    with organiser() as (arena, account):
        groups.delete(arena, account, rosters.group_id_of(arena, name))
    click.echo(f"{name} is deleted")


@group.command()
@group_name
@click.argument("member", metavar="ACCOUNT")
def remove(name: str, member: str) -> None:
    """Remove a member from a group. The account stays."""
    with organiser() as (arena, account):
        groups.remove(arena, account, rosters.group_id_of(arena, name), accounts.id_of(arena, member))
    click.echo(f"{member} is no longer a member of {name}")


@group.command("import")
@group_name
@click.argument("file", type=click.File("rb"))
@until_option
def import_(name: str, file: BinaryIO, until: datetime | None) -> None:
    """Add the people of a roster in CSV (- for standard input), with the columns account, real_name or both.

    A line without an account makes an invitation link for that person; `arena group export` prints the links.
    """
    lines = rosters.parse(file.read())
    with organiser() as (arena, account):
        done = rosters.take(arena, account, rosters.group_id_of(arena, name), lines, last_moment(until))
    click.echo(str(done))


@group.command()
@group_name
def export(name: str) -> None:
    """Print the roster of a group as CSV, with the links of people who have not joined yet."""
    with organiser() as (arena, account):
        page = rosters.roster(arena, account, rosters.group_id_of(arena, name))
    click.echo(rosters.export(page, lambda token: link(arena, token)).encode(), nl=False)
