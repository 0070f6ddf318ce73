"""``arena migrate``: what a deployment runs once before its web servers and workers start."""

import click

from arena.cli.database import explained, opened
from arena.db.migrate import upgrade
from arena.services import tallies
from arena.services.accounts import ensure_admin
from arena.services.context import Bell, silent
from arena.services.house import ensure_house
from arena.settings import Settings


def prepare(settings: Settings) -> str | None:
    """Bring the database up to date and have an administrator: the password, where the account was made now."""
    with explained():
        upgrade(settings.database_url)
    with opened(settings) as arena:
        tallies.fill(arena)
        return ensure_admin(arena)


def furnish(settings: Settings, bell: Bell = silent) -> None:
    """Enter the house bots and start the first tournament, where that has not been done."""
    with opened(settings, bell) as arena:
        ensure_house(arena)


@click.command()
def migrate() -> None:
    """Create the database or bring it up to date, with an administrator and the house bots.

    May be run at any time, also by several machines at once.
    """
    settings = Settings.from_env()
    password = prepare(settings)
    furnish(settings)
    click.echo("The database is up to date.")
    if password:
        click.echo(f"Log in as admin with the password {password} (shown this once).")
