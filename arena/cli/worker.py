"""``arena worker``: workers, where the parts are started one by one."""

import click

from arena.cli import parts
from arena.settings import Settings


@click.command()
def worker() -> None:
    """Run this machine's workers alone: ARENA_WORKERS processes, by default one per core."""
    settings = Settings.from_env()
    parts.require_cage(settings)
    if warning := parts.warning(settings):
        click.secho(f"arena worker: {warning}", fg="red", bold=True, err=True)
    parts.require_broker(settings)
    parts.become(parts.workers(settings))
