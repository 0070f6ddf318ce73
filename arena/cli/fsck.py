"""``arena fsck``: check that everything in the database agrees."""

import sys

import click

from arena.services import fsck as service
from arena.services.context import open_arena
from arena.settings import Settings


@click.command()
def fsck() -> None:
    """Check every invariant: results, records, ratings, uploads, counters, seeds.

    Prints one line per violation and exits with 1 if there is any. Changes nothing.
    """
    found = service.check(open_arena(Settings.from_env()))
    for line in found:
        click.echo(line)
    if found:
        sys.exit(1)
    click.echo("everything agrees")
