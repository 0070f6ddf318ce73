"""``arena migrate``: what a deployment runs once before its web servers and workers start."""

import click

from arena.db.migrate import upgrade
from arena.settings import Settings


@click.command()
def migrate() -> None:
    """Create the database or bring it up to date. May be run at any time, also by several machines at once."""
    settings = Settings.from_env()
    settings.home.mkdir(parents=True, exist_ok=True)
    upgrade(settings.database_url)
    click.echo("The database is up to date.")
