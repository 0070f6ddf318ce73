"""``arena web``, ``arena worker`` and ``arena beat``: parts of the arena that are started one by one."""

import click

from arena.cli import parts
from arena.cli.cage import insecure_warning, require_cage
from arena.settings import Settings


@click.command()
def web() -> None:
    """Run the web server alone, as `arena up` would."""
    settings = Settings.from_env()
    parts.require_broker(settings)
    parts.become(parts.web(settings))


@click.command()
def worker() -> None:
    """Run this machine's workers alone: ARENA_WORKERS processes, by default one per core."""
    settings = Settings.from_env()
    require_cage(settings)
    if warning := insecure_warning(settings):
        click.secho(f"arena worker: {warning}", fg="red", bold=True, err=True)
    parts.require_broker(settings)
    parts.become(parts.workers(settings))


@click.command()
def beat() -> None:
    """Run the clock alone. An arena has exactly one; it rings for waiting work."""
    settings = Settings.from_env()
    parts.require_broker(settings)
    parts.become(parts.beat(settings))
