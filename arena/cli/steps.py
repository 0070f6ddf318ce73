"""Steps of `arena up` that need large libraries.

Each runs in a process of its own, which ends with it, so that the supervisor, which stays, is small.
"""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from arena.settings import Settings

Result = TypeVar("Result")


def examine_cage(settings: Settings) -> tuple[str, str | None]:
    """Return a description of this machine's cage and the warning about an insecure run. Raises `ArenaFault`."""
    return _apart(_examine_cage, settings)


def prepare(settings: Settings) -> str | None:
    """Upgrade the database and ensure an administrator. Returns the password if the account is new."""
    return _apart(_prepare, settings)


def furnish(settings: Settings) -> None:
    """Enter the house bots and start the first tournament, unless that has been done."""
    _apart(_furnish, settings)


def answers(url: str) -> bool:
    """Return whether a broker answers at this URL."""
    return _apart(_answers, url)


def _apart(step: Callable[..., Result], *arguments: object) -> Result:
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        return pool.submit(step, *arguments).result()


def _examine_cage(settings: Settings) -> tuple[str, str | None]:
    from arena.cli import cage

    return cage.require_cage(settings), cage.insecure_warning(settings)


def _prepare(settings: Settings) -> str | None:
    from arena.cli import migrate

    return migrate.prepare(settings)


def _furnish(settings: Settings) -> None:
    from arena.cli import migrate
    from workers.bell import CeleryBell

    migrate.furnish(settings, CeleryBell(settings))


def _answers(url: str) -> bool:
    from arena.cli import parts

    return parts.answers(url)
