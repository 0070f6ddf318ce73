"""``arena tallies``: check or rebuild the sums that pages read."""

import sys

import click

from arena.cli.database import opened
from arena.services.people import audit
from arena.services.ratings import strengths
from arena.services.ratings import tallies as service


@click.group()
def tallies() -> None:
    """Check or rebuild the tallies: sums of results by bot and by pair."""


@tallies.command()
def check() -> None:
    """Recompute all tallies and strengths, and compare.

    Prints one line per difference and exits with 1 if there is any.
    """
    with opened() as arena, arena.reading() as session:
        found = service.check(session) + strengths.check(session)
    for line in found:
        click.echo(line)
    if found:
        sys.exit(1)
    click.echo("the tallies match the results")


@tallies.command()
def rebuild() -> None:
    """Recompute and store all tallies. New results wait until it is done."""
    with opened() as arena:
        audit.by_operator(arena, "rebuilt tallies", "the arena")
        click.echo(f"{service.rebuild(arena)} rows written")
