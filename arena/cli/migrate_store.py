"""``arena migrate-store``: move an arena to another database."""

import click

from arena.cli.backup import report
from arena.cli.database import explained, opened, require_file
from arena.games.errors import Misconfigured
from arena.services.people import audit
from arena.services.upkeep import backups
from arena.settings import Settings


def _settings(context: click.Context, parameter: click.Parameter, url: str) -> Settings:
    try:
        return Settings.from_env({"ARENA_DATABASE_URL": url})
    except Misconfigured:
        raise click.BadParameter("must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME") from None


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
        code = report(backups.move(target, source.database_url, replace))
    with opened(target) as arena:
        audit.by_operator(arena, "moved to another database", "the arena")
    click.echo("Set ARENA_DATABASE_URL to the new database on every machine, then start the arena.")
    return code
