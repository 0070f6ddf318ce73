"""``arena ratings``: compute the ratings again, and compare or rewrite them."""

import sys

import click

from arena.cli.database import opened
from arena.services import audit
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


def _chosen(arena: Arena, asked: tuple[str, ...]) -> list[str]:
    known = audit.variants(arena)
    unknown = [variant for variant in asked if variant not in known]
    if unknown:
        raise click.UsageError(f"nothing was played in {', '.join(unknown)}; there is {', '.join(known) or 'nothing'}")
    return list(asked) or known
