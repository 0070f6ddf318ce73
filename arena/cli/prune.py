"""``arena prune``: delete what nobody needs any more."""

import click

from arena.cli.database import opened
from arena.services.people import audit
from arena.services.upkeep import leftovers


@click.command()
@click.option("--days", default=90.0, show_default=True, type=click.FloatRange(min=0), help="Age to be deleted at.")
@click.option("--dry-run", is_flag=True, help="Only count what would be deleted.")
def prune(days: float, dry_run: bool) -> None:
    """Delete the sources of versions that were rejected, trials, and logs that were written, more than --days ago.

    Rejected versions keep their reports, sizes and hashes. Large logs in use are copied to .log.1 and started anew.
    Results, their records and ratings are never deleted. May run while the arena plays.
    """
    with opened() as arena:
        if not dry_run:
            audit.by_operator(arena, "pruned", "the arena", f"older than {days:g} days")
        found = leftovers.find(arena, days) if dry_run else leftovers.prune(arena, days)
    for kind in found:
        click.echo(f"{kind.what}: {kind.number}, {kind.bytes} bytes")
    if dry_run:
        click.echo("Nothing was deleted.")
