"""``arena backup``: write the whole arena to one file."""

from datetime import UTC, datetime
from pathlib import Path

import click

from arena.cli.database import opened
from arena.exits import ExitCode
from arena.services.base.times import moment
from arena.services.upkeep import backups
from arena.settings import Settings


@click.command()
@click.argument("target", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@click.option("--verify/--no-verify", default=True, help="Restore the backup to a temporary database and check it.")
def backup(target: Path, verify: bool) -> int:
    """Write everything in the database to a new FILE, or to a file named after the time in FOLDER.

    May run while the arena plays, on both kinds of database; `arena restore` reads the file on either. Afterwards the
    backup is restored to a temporary database beside it and checked; exits with 1 if anything is inconsistent.
    Settings and the secret key are not included.
    """
    settings = Settings.from_env()
    path = target / f"arena-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip" if target.is_dir() else target
    with opened(settings) as arena:
        manifest = backups.backup(arena, path)
    rows = sum(content.rows for content in manifest.tables.values())
    taken = f"{moment(manifest.created):%Y-%m-%d %H:%M:%S} UTC"
    click.echo(f"{path}: {rows} rows, {path.stat().st_size} bytes, as of {taken}")
    return report(backups.verify(settings, path)) if verify else ExitCode.DONE


def report(found: list[str]) -> int:
    """Print the violated invariants of a copy, and return the exit code."""
    for line in found:
        click.echo(line)
    click.echo(f"the copy is complete; inconsistencies: {len(found)}" if found else "everything agrees")
    return ExitCode.REFUSED if found else ExitCode.DONE
