"""``arena migrate``: what a deployment runs once before its web servers and workers start."""

import click
from alembic.util.exc import CommandError
from sqlalchemy.exc import SQLAlchemyError

from arena.db.migrate import upgrade
from arena.games.errors import ArenaError
from arena.services.accounts import ensure_admin
from arena.services.context import Bell, open_arena, silent
from arena.services.house import ensure_house
from arena.settings import Settings


def prepare(settings: Settings) -> str | None:
    """Bring the database up to date and have an administrator: the password, where the account was made now."""
    try:
        upgrade(settings.database_url)
    except (SQLAlchemyError, CommandError) as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        raise ArenaError(f"The database (ARENA_DATABASE_URL) cannot be used: {reason}") from None
    arena = open_arena(settings)
    try:
        return ensure_admin(arena)
    finally:
        arena.close()


def furnish(settings: Settings, bell: Bell = silent) -> None:
    """Enter the house bots and start the first tournament, where that has not been done."""
    arena = open_arena(settings, bell)
    try:
        ensure_house(arena)
    finally:
        arena.close()


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
