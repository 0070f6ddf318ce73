"""``arena bot``: manage uploaded bots on the machine that holds the database."""

import click

from arena.cli.tournament import organiser
from arena.services.bots import archives, deletions, names
from arena.services.bots import pages as bot_pages

bot_name = click.argument("name")


@click.group()
def bot() -> None:
    """Manage uploaded bots by name, as the first administrator."""


@bot.command()
@bot_name
@click.argument("new_name")
def rename(name: str, new_name: str) -> None:
    """Rename the bot NAME. Its links and results stay; the old name is reserved for its owner for 30 days."""
    with organiser() as (arena, account):
        names.rename(arena, account, bot_pages.bot_id(arena, name), new_name)
    click.echo(f"{name} is now called {new_name}")


@bot.command()
@bot_name
def archive(name: str) -> None:
    """Take a bot out of all lists and of everything new. Its results and replays stay."""
    with organiser() as (arena, account):
        archives.archive(arena, account, bot_pages.bot_id(arena, name))
    click.echo(f"{name} is archived")


@bot.command()
@bot_name
def restore(name: str) -> None:
    """Bring an archived bot back, inactive."""
    with organiser() as (arena, account):
        archives.restore(arena, account, bot_pages.bot_id(arena, name))
    click.echo(f"{name} is back; its owner can activate it")


@bot.command()
@bot_name
def delete(name: str) -> None:
    """Delete a bot that never played, with its versions and sources."""
    with organiser() as (arena, account):
        deletions.delete_bot(arena, account, bot_pages.bot_id(arena, name))
    click.echo(f"{name} is deleted")
