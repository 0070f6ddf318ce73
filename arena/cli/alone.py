"""The commands ``arena web``, ``worker``, ``live`` and ``beat``: parts of the arena that are started one by one."""

import click

from arena.cli import parts
from arena.cli.cage import require_cage
from arena.cli.database import opened
from arena.cli.needs import require_descriptors, require_shared_memory
from arena.settings import Settings


@click.command()
def web() -> None:
    """Run the web server alone, as `arena up` would."""
    require_descriptors()
    settings = _usable_settings()
    parts.become(parts.web(settings))


@click.command()
def worker() -> None:
    """Run this machine's workers alone: ARENA_WORKERS processes, by default one per core."""
    require_descriptors()
    require_shared_memory()
    settings = _usable_settings()  # first, because proving the cage takes seconds
    cage = require_cage(settings)
    for sentence in cage.refused:
        click.secho(f"arena worker: {sentence}", fg="yellow", err=True)
    if cage.warning:
        click.secho(f"arena worker: {cage.warning}", fg="red", bold=True, err=True)
    parts.become(parts.workers(settings))


@click.command()
def live() -> None:
    """Run a host of live tables alone: at most ARENA_LIVE_TABLES tables of people and bots."""
    require_descriptors()
    require_shared_memory()
    settings = _usable_settings()
    require_cage(settings)
    parts.become(parts.live(settings))


@click.command()
def beat() -> None:
    """Run the clock alone. An arena has exactly one; it rings for waiting work."""
    require_descriptors()
    settings = _usable_settings()
    parts.become(parts.beat(settings))


def _usable_settings() -> Settings:
    """Return the settings. Raises `ArenaError` without a broker, or if the folder or the database is unusable."""
    settings = Settings.from_env()
    parts.require_broker(settings)
    parts.make_folder(settings.home)
    with opened(settings):
        pass  # a database of another release is refused before the part starts
    return settings
