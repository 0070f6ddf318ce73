"""``arena bot``: manage uploaded bots on the machine that holds the database, and list uploads."""

import click

from arena.cli.database import opened
from arena.cli.member import page_option
from arena.cli.plans import echo_json, echo_rows
from arena.cli.tournament import as_json, organiser
from arena.services.administration import bots, pages
from arena.services.bots import archives, deletions, names
from arena.settings import Settings


@click.group()
def bot() -> None:
    """Manage uploaded bots by name, as the first administrator, and list uploads."""


@bot.command()
@click.argument("name")
@click.argument("new_name")
def rename(name: str, new_name: str) -> None:
    """Rename the bot NAME. Its links and results stay; the old name is reserved for its owner for 30 days."""
    with organiser() as (arena, account):
        names.rename(arena, account, bots.named(arena, name), new_name)
    click.echo(f"{name} is now called {new_name}")


@bot.command()
@click.argument("name")
def archive(name: str) -> None:
    """Take a bot out of all lists and of everything new. Its results and replays stay."""
    with organiser() as (arena, account):
        archives.archive(arena, account, bots.named(arena, name))
    click.echo(f"{name} is archived")


@bot.command()
@click.argument("name")
def restore(name: str) -> None:
    """Bring an archived bot back, inactive."""
    with organiser() as (arena, account):
        archives.restore(arena, account, bots.named(arena, name))
    click.echo(f"{name} is back; its owner can activate it")


@bot.command()
@click.argument("name")
def delete(name: str) -> None:
    """Delete a bot that never played, with its versions and sources."""
    with organiser() as (arena, account):
        deletions.delete_bot(arena, account, bots.named(arena, name))
    click.echo(f"{name} is deleted")


@bot.command()
@click.argument("name")
@click.option("--reason", required=True, help="The reason, which the owner reads.")
def disable(name: str, reason: str) -> None:
    """Disable the bot NAME: it enters nothing new, and its owner cannot undo it."""
    with organiser() as (arena, actor):
        bots.disable(arena, actor, bots.named(arena, name), reason)
    click.echo(f"{name} is disabled")


@bot.command()
@click.argument("name")
def enable(name: str) -> None:
    """Enable the disabled bot NAME."""
    with organiser() as (arena, actor):
        bots.enable(arena, actor, bots.named(arena, name))
    click.echo(f"{name} is enabled")


@bot.command()
@click.option("--state", type=click.Choice([str(state) for state in pages.UPLOADS]), help="Only uploads in this state.")
@page_option
@as_json
def uploads(state: str | None, page: int, as_json: bool) -> None:
    """List uploads that wait for validation, were rejected, or could not be validated, newest first."""
    with opened(Settings.from_env()) as arena:
        found = pages.uploads(arena, page, state=state or "")
    if as_json:
        echo_json(found)
        return
    head = ("bot", "version", "owner", "state", "seconds", "verdict")
    rows = [(row.bot, row.version, row.owner, row.state, round(row.age), row.verdict) for row in found.rows]
    echo_rows(head, rows)
