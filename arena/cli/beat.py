"""``arena beat``: the clock, where the parts are started one by one."""

import click

from arena.cli import parts
from arena.settings import Settings


@click.command()
def beat() -> None:
    """Run the clock alone. An arena has exactly one; it rings for what waits."""
    settings = Settings.from_env()
    parts.require_broker(settings)
    parts.become(parts.beat(settings))
