"""``arena invite``: manage invitation links on the machine that holds the database."""

from datetime import UTC, datetime, timedelta

import click

from arena.cli.plans import echo_json, echo_rows
from arena.cli.tournament import ID, as_json, organiser
from arena.services.base.context import Arena
from arena.services.people import invitations, rosters
from arena.services.people.invitations import InvitationRow

invitation_id = click.argument("invitation_id", metavar="ID", type=ID)
until_option = click.option(
    "--until", type=click.DateTime(["%Y-%m-%d"]), help="The last day of the links, in UTC; in 14 days by default."
)


def last_moment(until: datetime | None) -> datetime:
    """Return the end of links that are valid through a day, which is in 14 days by default."""
    return invitations.last_moment((until or datetime.now(UTC) + timedelta(days=14)).date())


def link(arena: Arena, token: str) -> str:
    """Return the link with a token; only its path if the public URL of the arena is not set."""
    return f"{arena.settings.url or ''}/join/{token}"


@click.group()
def invite() -> None:
    """Create and manage invitation links, as the first administrator."""


@invite.command()
@click.option("--group", metavar="NAME", help="The group that people join.")
@click.option("--uses", type=int, default=1, show_default=True, help="Number of people who can use the link.")
@until_option
def create(group: str | None, uses: int, until: datetime | None) -> None:
    """Create an invitation, and print its link."""
    with organiser() as (arena, account):
        group_id = None if group is None else rosters.group_id_of(arena, group)
        made = invitations.create(arena, account, uses, last_moment(until), group_id)
        row = invitations.invitation_page(arena, account, made).row
    click.echo(f"invitation {made}: {link(arena, row.token)}")


@invite.command("list")
@as_json
def list_(as_json: bool) -> None:
    """List the latest invitations for several people."""
    with organiser() as (arena, account):
        found = invitations.invitations(arena, account)
    if as_json:
        echo_json(found)
        return
    head = ("id", "state", "used", "until", "link", "group")
    echo_rows(head, [_cells(arena, row) for row in found])


@invite.command()
@invitation_id
@as_json
def show(invitation_id: int, as_json: bool) -> None:
    """Show an invitation and who used it."""
    with organiser() as (arena, account):
        page = invitations.invitation_page(arena, account, invitation_id)
    if as_json:
        echo_json(page)
        return
    row = page.row
    click.echo(f"{link(arena, row.token)}: {row.state}, used {row.used} of {row.uses}, until {row.expires:%Y-%m-%d}")
    for use in page.joined:
        click.echo(f"{use.at:%Y-%m-%d %H:%M}  {use.name}")


@invite.command()
@invitation_id
def revoke(invitation_id: int) -> None:
    """Revoke an invitation. Members who used it stay."""
    with organiser() as (arena, account):
        invitations.revoke(arena, account, invitation_id)
    click.echo(f"invitation {invitation_id} is revoked")


def _cells(arena: Arena, row: InvitationRow) -> tuple[object, ...]:
    used = f"{row.used}/{row.uses}"
    return (row.id, row.state, used, f"{row.expires:%Y-%m-%d}", link(arena, row.token), row.group or "")
