"""``arena migrate``: prepare the database before web servers and workers start."""

import click

from arena.cli.database import explained, opened
from arena.db.migrate import upgrade
from arena.services.base.context import Bell, silent
from arena.services.bots.house import ensure_house
from arena.services.people.accounts import ensure_admin
from arena.services.ratings import tallies
from arena.services.tournaments import standings
from arena.settings import Settings


def prepare(settings: Settings) -> str | None:
    """Upgrade the database and ensure an administrator. Returns the password if the account is new."""
    with explained():
        upgrade(settings.database_url)
    with opened(settings) as arena:
        tallies.backfill(arena)
        standings.backfill(arena)
        return ensure_admin(arena)


def furnish(settings: Settings, bell: Bell = silent) -> None:
    """Enter the house bots and start the first tournament, unless that has been done."""
    with opened(settings, bell) as arena:
        ensure_house(arena)


@click.command()
def migrate() -> None:
    """Create or upgrade the database, with an administrator and the house bots.

    Safe to run at any time, also on several machines at once.
    """
    settings = Settings.from_env()
    password = prepare(settings)
    furnish(settings)
    click.echo("The database is up to date.")
    if password:
        click.echo(f"Log in as admin with the password {password} (shown this once).")
