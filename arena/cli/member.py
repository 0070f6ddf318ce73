"""``arena member``: look up members, disable and enable them. `arena account` changes passwords and rights."""

import click

from arena.cli.database import opened
from arena.cli.plans import echo_json, echo_rows
from arena.cli.tournament import as_json, organiser
from arena.services.administration import members, pages
from arena.services.administration.views import MemberPage, MemberRow
from arena.services.people import accounts
from arena.settings import Settings

page_option = click.option("--page", type=click.IntRange(1), default=1, show_default=True, help="Page of 50 rows.")


@click.group()
def member() -> None:
    """Look up members, and disable or enable them, as the first administrator."""


@member.command("list")
@click.option("--search", default="", help="A part of the name.")
@click.option("--only", type=click.Choice([*pages.ROLES, pages.DISABLED]), default=None, help="Only these members.")
@page_option
@as_json
def list_(search: str, only: str | None, page: int, as_json: bool) -> None:
    """List members by name."""
    with opened(Settings.from_env()) as arena:
        found = pages.members(arena, page, search=search, only=only or "")
    if as_json:
        echo_json(found)
        return
    echo_rows(("name", "role", "bots", "sessions", "last active", "disabled"), [_columns(row) for row in found.rows])
    click.echo(f"page {found.page} of {found.pages}, members: {found.total}", err=True)


@member.command()
@click.argument("name")
@as_json
def show(name: str, as_json: bool) -> None:
    """Show the member NAME: role, bots, and what the audit log says about them."""
    with opened(Settings.from_env()) as arena:
        page = pages.member(arena, accounts.id_of(arena, name))
    if as_json:
        echo_json(page)
    else:
        _show(page)


@member.command()
@click.argument("name")
@click.option("--reason", required=True, help="The reason, which the member reads at log-in.")
def disable(name: str, reason: str) -> None:
    """Disable the member NAME, who can no longer log in and whose bots enter nothing new."""
    with organiser() as (arena, actor):
        members.disable(arena, actor, accounts.id_of(arena, name), reason)
    click.echo(f"{name} is disabled")


@member.command()
@click.argument("name")
def enable(name: str) -> None:
    """Enable the disabled member NAME, and their bots."""
    with organiser() as (arena, actor):
        members.enable(arena, actor, accounts.id_of(arena, name))
    click.echo(f"{name} is enabled")


@member.command("log-out")
@click.argument("name")
def log_out(name: str) -> None:
    """End all sessions of the member NAME."""
    with organiser() as (arena, actor):
        members.log_out(arena, actor, accounts.id_of(arena, name))
    click.echo(f"the sessions of {name} have ended")


def _columns(row: MemberRow) -> tuple[object, ...]:
    active = f"{row.active:%Y-%m-%d %H:%M}" if row.active else "never"
    return row.name, row.role, row.bots, row.sessions, active, row.disabled or ""


def _show(page: MemberPage) -> None:
    row = page.row
    click.echo(f"{row.name}: {row.role}, registered {row.created:%Y-%m-%d}, sessions: {row.sessions}")
    if row.disabled is not None:
        click.echo(f"disabled: {row.disabled}")
    for bot in page.bots:
        click.echo(f"bot {bot.name}, versions: {bot.versions}{', disabled' if bot.barred else ''}")
    for entry in page.log:
        click.echo(f"{entry.at:%Y-%m-%d %H:%M} {entry.actor} {entry.action}: {entry.detail}".removesuffix(": "))
