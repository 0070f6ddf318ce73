"""``arena tallies``: add the results up again, and compare or rewrite what pages read."""

import sys

import click

from arena.cli.database import opened
from arena.services import tallies as service
from arena.settings import Settings


@click.group()
def tallies() -> None:
    """Check what the results add up to, by bot and by pair, or write it again."""


@tallies.command()
def check() -> None:
    """Add up all results, and compare. Prints one line per difference and exits with 1 if there is any."""
    with opened(Settings.from_env()) as arena, arena.reading() as session:
        found = service.check(session)
    for line in found:
        click.echo(line)
    if found:
        sys.exit(1)
    click.echo("the tallies are what the results add up to")


@tallies.command()
def rebuild() -> None:
    """Add up all results, and write it. New results wait for it to end."""
    with opened(Settings.from_env()) as arena:
        click.echo(f"{service.rebuild(arena)} rows written")
