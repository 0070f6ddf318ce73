"""``arena web``, ``arena worker`` and ``arena beat``: parts of the arena that are started one by one."""

from typing import NoReturn

import click

from arena.cli import parts
from arena.cli.cage import require_cage
from arena.cli.database import opened
from arena.cli.needs import require_descriptors, require_shared_memory
from arena.cli.processes import Part
from arena.settings import Settings


@click.command()
def web() -> None:
    """Run the web server alone, as `arena up` would."""
    require_descriptors()
    settings = Settings.from_env()
    parts.require_broker(settings)
    _become(settings, parts.web(settings))


@click.command()
def worker() -> None:
    """Run this machine's workers alone: ARENA_WORKERS processes, by default one per core."""
    require_descriptors()
    require_shared_memory()
    settings = Settings.from_env()
    cage = require_cage(settings)
    for sentence in cage.refused:
        click.secho(f"arena worker: {sentence}", fg="yellow", err=True)
    if cage.warning:
        click.secho(f"arena worker: {cage.warning}", fg="red", bold=True, err=True)
    parts.require_broker(settings)
    _become(settings, parts.workers(settings))


@click.command()
def beat() -> None:
    """Run the clock alone. An arena has exactly one; it rings for waiting work."""
    require_descriptors()
    settings = Settings.from_env()
    parts.require_broker(settings)
    _become(settings, parts.beat(settings))


def _become(settings: Settings, part: Part) -> NoReturn:
    """Replace this process by a part. Raises `ArenaError` if its folder or its database is unusable."""
    parts.make_folder(settings.home)
    with opened(settings):
        pass  # a database of another release is refused before the part starts
    parts.become(part)
