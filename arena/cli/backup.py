"""``arena backup``, ``arena restore`` and ``arena migrate-store``: the whole arena in a file or in another database."""

from datetime import UTC, datetime
from pathlib import Path

import click

from arena.cli.database import explained, opened, require_file
from arena.db import schema
from arena.exits import ExitCode
from arena.games.errors import Misconfigured
from arena.services.base.times import moment
from arena.services.people import audit
from arena.services.upkeep import backups
from arena.settings import Settings


def _settings(context: click.Context, parameter: click.Parameter, url: str) -> Settings:
    try:
        return Settings.from_env({"ARENA_DATABASE_URL": url})
    except Misconfigured:
        raise click.BadParameter("must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME") from None


@click.command()
@click.argument("target", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@click.option("--verify/--no-verify", default=True, help="Restore the backup to a temporary database and check it.")
def backup(target: Path, verify: bool) -> int:
    """Write everything in the database to a new FILE, or to a file named after the time in FOLDER.

    May run while the arena plays, on both kinds of database; `arena restore` reads the file on either. Afterwards the
    backup is restored to a temporary database beside it and checked; exits with 1 if anything is inconsistent.
    The database may be of an older release. Settings and the secret key are not included.
    """
    settings = Settings.from_env()
    path = target / f"arena-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip" if target.is_dir() else target
    with opened(settings, check=schema.check_upgradable) as arena:
        manifest = backups.backup(arena, path)
    rows = sum(content.rows for content in manifest.tables.values())
    taken = f"{moment(manifest.created):%Y-%m-%d %H:%M:%S} UTC"
    click.echo(f"{path}: {rows} rows, {path.stat().st_size} bytes, as of {taken}")
    return _report(backups.verify(settings, path)) if verify else ExitCode.DONE


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
    return _report(found)


@click.command()
@click.argument("source", metavar="FROM", callback=_settings)
@click.argument("target", metavar="TO", callback=_settings)
@click.option("--replace", is_flag=True, help="Delete the arena that TO holds.")
def migrate_store(source: Settings, target: Settings, replace: bool) -> int:
    """Copy the arena in the database FROM to the database TO, compare every table, and check the copy.

    Both are URLs as in ARENA_DATABASE_URL, of either kind of database. Stop the arena first. FROM does not change.
    """
    require_file(source)
    with explained("One of the databases"):
        code = _report(backups.move(target, source.database_url, replace))
    with opened(target) as arena:
        audit.by_operator(arena, "moved to another database", "the arena")
    click.echo("Set ARENA_DATABASE_URL to the new database on every machine, then start the arena.")
    return code


def _report(found: list[str]) -> int:
    """Print the violated invariants of a copy, and return the exit code."""
    for line in found:
        click.echo(line)
    click.echo(f"the copy is complete; inconsistencies: {len(found)}" if found else "everything agrees")
    return ExitCode.REFUSED if found else ExitCode.DONE
