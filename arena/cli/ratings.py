"""``arena ratings``: check or rebuild the ratings, and estimate their parameters."""

import sys

import click

from arena.cli.database import opened
from arena.services.base.context import Arena
from arena.services.people import audit as log
from arena.services.ratings import audit, estimates
from arena.services.ratings.fold import rebuild as rebuild_variant


@click.group()
def ratings() -> None:
    """Check, rebuild or tune the ratings."""


@ratings.command()
@click.argument("variants", nargs=-1)
def check(variants: tuple[str, ...]) -> None:
    """Recompute the ratings of VARIANTS (default: all) from the stored records, and compare them bit for bit.

    Prints one line per difference and exits with 1 if there is any.
    """
    with opened() as arena:
        found = {variant: audit.check_ratings(arena, variant) for variant in _chosen(arena, variants)}
        insecure, outdated = audit.insecure_tables(arena), audit.outdated(arena)
    for variant, wrong in found.items():
        click.echo(f"{variant}: {'ok' if not wrong else f'{len(wrong)} differences'}")
        for line in wrong:
            click.echo(f"  {line}")
        if variant in outdated:
            click.echo(
                f"  ratings from table {outdated[variant]} on are being computed again and were not compared", err=True
            )
        if variant in insecure:
            click.echo(f"  tables played without a full cage: {insecure[variant]}", err=True)
    if any(found.values()):
        sys.exit(1)


@ratings.command()
@click.argument("variants", nargs=-1)
def rebuild(variants: tuple[str, ...]) -> None:
    """Rate VARIANTS (default: all) again from the first table."""
    with opened() as arena:
        for variant in _chosen(arena, variants):
            log.by_operator(arena, "rebuilt ratings", f"variant {variant}")
            click.echo(f"{variant}: {rebuild_variant(arena, variant)} tables rated")


@ratings.command()
@click.argument("variants", nargs=-1)
@click.option("--apply", is_flag=True, help="Adopt the estimates and rate all tables again.")
def estimate(variants: tuple[str, ...], apply: bool) -> None:
    """Estimate beta and draw probability of VARIANTS (default: all) from their latest results.

    Fewer nats mean better predictions of pairs' outcomes. Without --apply nothing changes.
    """
    with opened() as arena:
        for variant in _chosen(arena, variants):
            found = estimates.estimate(arena, variant)
            click.echo(f"{variant}: {_described(found)}")
            for name in found.edges:
                click.echo(f"  {name} is the lowest or highest value tried: a better one may lie beyond")
            if apply and found.better:
                log.by_operator(arena, "tuned ratings", f"variant {variant}", _described(found))
                click.echo(f"  {estimates.adopt(arena, variant, found.estimate)} tables rated again")


def _described(found: estimates.Found) -> str:
    """Describe an estimate in one line."""
    tried, before = found.estimate, found.before
    seen = f"{tried.pairs} outcomes at {tried.tables} tables"
    had = f"beta {before.beta:.3f}, draw probability {before.draw_probability:.3f}"
    if not found.better:
        return f"{had} stay: {seen} show no improvement"
    beta, draw = tried.parameters
    return (
        f"beta {beta:.3f}, draw probability {draw:.3f} instead of {had}: "
        f"{tried.after:.4f} nats instead of {tried.before:.4f}, {seen}"
    )


def _chosen(arena: Arena, asked: tuple[str, ...]) -> list[str]:
    known = audit.variants(arena)
    unknown = [variant for variant in asked if variant not in known]
    if unknown:
        raise click.UsageError(
            f"no results in {', '.join(unknown)}; variants with results: {', '.join(known) or 'none'}"
        )
    return list(asked) or known
