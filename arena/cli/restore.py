"""``arena restore``: fill the database from a backup."""

from pathlib import Path

import click

from arena.cli.backup import report
from arena.cli.database import explained, opened
from arena.services.people import audit
from arena.services.upkeep import backups
from arena.settings import Settings


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Delete the arena that the database holds.")
def restore(file: Path, replace: bool) -> int:
    """Fill the database (ARENA_DATABASE_URL) from a backup, of either kind of database, and check it.

    Stop the arena first. Nothing changes unless the whole backup is restored. Tables that were being played are queued
    again.
    """
    settings = Settings.from_env()
    with explained():
        found = backups.restore(settings, file, replace)
    with opened(settings) as arena:
        audit.by_operator(arena, "restored a backup", "the arena", file.name)
    return report(found)
