"""Demos: arenas for trying everything, which begin empty at every start and each night."""

import shutil
from datetime import datetime, timedelta
from typing import Final

from arena.games.errors import ArenaError
from arena.settings import Settings

MARK: Final = "demo"
"""File in the home folder of a demo. Without it nothing is deleted."""
LOCK: Final = "up.lock"
"""File that the running arena holds."""


def clear(settings: Settings) -> None:
    """Delete all data of a demo. Raises `ArenaError` if the home is another arena's, or a demo's for an arena."""
    mark = settings.home / MARK
    found = [path for path in settings.home.iterdir() if path.name != LOCK]
    if not settings.demo:
        if mark.exists():
            raise ArenaError(f"{settings.home} holds a demo, which is deleted each night. Choose another ARENA_HOME.")
        return
    if found and not mark.exists():
        raise ArenaError(
            f"{settings.home} holds data that is not a demo's, and a demo would delete it. Choose another ARENA_HOME."
        )
    mark.touch()
    for path in found:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path != mark:
            path.unlink()


def seconds_left(now: datetime) -> float:
    """Return the seconds until midnight."""
    return (now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1) - now).total_seconds()
