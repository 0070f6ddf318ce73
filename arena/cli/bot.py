"""``arena bot``: disable and enable bots, and list uploads that wait or did not pass."""

import click

from arena.cli.database import opened
from arena.cli.member import page_option
from arena.cli.plans import echo_json, echo_rows
from arena.cli.tournament import as_json, organiser
from arena.services.administration import bots, pages
from arena.settings import Settings


@click.group()
def bot() -> None:
    """Disable or enable bots, as the first administrator, and list uploads."""


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
    rows = [(row.bot, row.number, row.owner, row.state, round(row.age), row.verdict) for row in found.rows]
    echo_rows(head, rows)
