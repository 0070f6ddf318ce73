"""``arena migrate``: prepare the database before web servers and workers start."""

from collections.abc import Callable
from datetime import UTC, datetime

import click

from arena.cli.database import explained, missing_file, opened
from arena.db import schema
from arena.db.migrate import upgrade
from arena.games.errors import ArenaError
from arena.services.base.context import Bell, silent
from arena.services.bots.house import ensure_house
from arena.services.people.accounts import ensure_admin
from arena.services.ratings import tallies
from arena.services.tournaments import standings
from arena.services.upkeep import backups
from arena.settings import Settings


def prepare(settings: Settings) -> str | None:
    """Upgrade the database and ensure an administrator. Returns the password if the account is new."""
    with explained():
        upgrade(settings.database_url)
    with opened(settings) as arena:
        tallies.backfill(arena)
        standings.backfill(arena)
        return ensure_admin(arena)


def back_up(settings: Settings, note: Callable[[str], None]) -> None:
    """Back up the database if it is of an older release, and try the upgrade on the copy. `note` takes a sentence.

    Raises `ArenaError` if that fails, or if the copy is inconsistent afterwards. The database is only read.
    """
    if missing_file(settings):
        return
    with opened(settings, check=schema.check_upgradable) as arena:
        with arena.database.engine.connect() as connection:
            found = schema.revision(connection)
        if found in (None, schema.newest()):
            return
        path = settings.home / "backups" / f"schema-{found}-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip"
        note(f"The database is of an older release. It is backed up to {path}, and the upgrade is tried on the copy.")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        backups.backup(arena, path)
    if wrong := backups.verify(settings, path):
        raise ArenaError(
            f"The upgrade was tried on a copy, which is inconsistent: {wrong[0]}; findings: {len(wrong)}. The database "
            "is as it was. To upgrade it nevertheless, run: arena migrate"
        )


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
