"""``arena fsck``: check the consistency of the database."""

import sys

import click

from arena.cli.database import opened
from arena.services.ratings import audit
from arena.services.work import fsck as service
from arena.settings import Settings


@click.command()
def fsck() -> None:
    """Check every invariant: results, records, ratings, uploads, counters, seeds.

    Prints one line per violation and exits with 1 if there is any. Changes nothing.
    """
    with opened(Settings.from_env()) as arena:
        found = service.check(arena)
        insecure = sum(audit.insecure_tables(arena).values())
    for line in found:
        click.echo(line)
    if insecure:
        click.echo(f"tables played without a full cage: {insecure}", err=True)
    if found:
        sys.exit(1)
    click.echo("everything agrees")
