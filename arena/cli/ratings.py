"""``arena ratings``: compute the ratings again, compare or rewrite them, and estimate what they are computed with."""

import sys

import click

from arena.cli.database import opened
from arena.services import audit, estimates
from arena.services.context import Arena
from arena.services.fold import rebuild as rebuild_variant
from arena.settings import Settings


@click.group()
def ratings() -> None:
    """Check the ratings, or write them again."""


@ratings.command()
@click.argument("variants", nargs=-1)
def check(variants: tuple[str, ...]) -> None:
    """Compute the ratings of VARIANTS (default: all) from the stored records, and compare them bit for bit.

    Prints one line per difference and exits with 1 if there is any.
    """
    with opened(Settings.from_env()) as arena:
        found = {variant: audit.check_ratings(arena, variant) for variant in _chosen(arena, variants)}
        insecure = audit.insecure_tables(arena)
    for variant, wrong in found.items():
        click.echo(f"{variant}: {'ok' if not wrong else f'{len(wrong)} differences'}")
        for line in wrong:
            click.echo(f"  {line}")
        if variant in insecure:
            click.echo(f"  tables played without a full cage: {insecure[variant]}", err=True)
    if any(found.values()):
        sys.exit(1)


@ratings.command()
@click.argument("variants", nargs=-1)
def rebuild(variants: tuple[str, ...]) -> None:
    """Rate VARIANTS (default: all) again from the first table on. Old events stay; new ones take their place."""
    with opened(Settings.from_env()) as arena:
        for variant in _chosen(arena, variants):
            click.echo(f"{variant}: {rebuild_variant(arena, variant)} tables rated")


@ratings.command()
@click.argument("variants", nargs=-1)
@click.option("--apply", is_flag=True, help="Rate by what is found from now on, and all that was played again.")
def estimate(variants: tuple[str, ...], apply: bool) -> None:
    """Estimate beta and draw probability of VARIANTS (default: all) from their latest results.

    The fewer nats, the better the outcomes of pairs were predicted. Without --apply nothing is changed.
    """
    with opened(Settings.from_env()) as arena:
        for variant in _chosen(arena, variants):
            found = estimates.estimate(arena, variant)
            click.echo(f"{variant}: {_told(found)}")
            if apply and found.better:
                click.echo(f"  {estimates.adopt(arena, variant, found.estimate)} tables rated again")


def _told(found: estimates.Found) -> str:
    """What was found, in a line."""
    tried, before = found.estimate, found.before
    seen = f"{tried.pairs} outcomes at {tried.tables} tables"
    had = f"beta {before.beta:.3f}, draw probability {before.draw_probability:.3f}"
    if not found.better:
        return f"{had} stay: {seen} say nothing better"
    beta, draw = tried.parameters
    return (
        f"beta {beta:.3f}, draw probability {draw:.3f} instead of {had}: "
        f"{tried.after:.4f} nats instead of {tried.before:.4f}, {seen}"
    )


def _chosen(arena: Arena, asked: tuple[str, ...]) -> list[str]:
    known = audit.variants(arena)
    unknown = [variant for variant in asked if variant not in known]
    if unknown:
        raise click.UsageError(f"nothing was played in {', '.join(unknown)}; there is {', '.join(known) or 'nothing'}")
    return list(asked) or known
