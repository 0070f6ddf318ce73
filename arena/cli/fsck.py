"""``arena fsck``: check the consistency of the database, and repair it."""

import sys

import click

from arena.cli.database import opened
from arena.exits import ExitCode
from arena.services.base.context import Arena
from arena.services.integrity import fsck as service
from arena.services.integrity.findings import Finding
from arena.services.people import audit as log
from arena.services.ratings import audit


@click.command()
@click.option("--repair", is_flag=True, help="Put right what follows from other data, then check.")
@click.option("--quick", is_flag=True, help="Leave out the records of matches, and ratings, which follow from them.")
def fsck(repair: bool, quick: bool) -> None:
    """Check every invariant: results, records, ratings, uploads, counters, seeds.

    Prints one line per violation. Exits with 1 if there is any, except those that a running arena puts right by itself.
    Without --repair nothing is changed.
    """
    with opened() as arena:
        if repair:
            log.by_operator(arena, "repaired the database", "the arena")
        for finding in service.repair(arena) if repair else ():
            click.echo(f"repaired: {finding}")
        found = _listed(arena, quick)
        insecure = sum(audit.insecure_tables(arena).values())
    if insecure:
        click.echo(f"tables played without a full cage: {insecure}", err=True)
    if not found:
        click.echo("everything agrees")
    if not all(finding.heals for finding in found):
        sys.exit(ExitCode.REFUSED)


def _listed(arena: Arena, quick: bool) -> list[Finding]:
    """Print the findings as they come, and return them."""
    found = []
    for finding in service.findings(arena, quick):
        click.echo(f"{finding}{_advice(finding)}")
        found.append(finding)
    if any(finding.repairable and not finding.heals for finding in found):
        click.echo("to put right what can be put right, run: arena fsck --repair", err=True)
    return found


def _advice(finding: Finding) -> str:
    if finding.heals:
        return " (a running arena puts this right)"
    return " (repairable)" if finding.repairable else ""
