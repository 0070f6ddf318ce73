"""Steps of `arena up` that use the database, the cage or the broker.

Each runs in a process of its own, which ends with it, so that the supervisor opens nothing that its forks would share.
"""

from collections.abc import Callable, Sequence
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, TypeVar, cast

from arena.games.errors import ArenaError, ArenaFault
from arena.settings import Settings

if TYPE_CHECKING:
    from arena.cli.cage import Description

Result = TypeVar("Result")


def require_servers(settings: Settings) -> None:
    """Raise `ArenaError` if the operator's database server or broker cannot be used."""
    if settings.broker_url or not settings.database_url.startswith("sqlite:"):
        _apart(_require_servers, settings)


def examine_cage(settings: Settings, meanwhile: Callable[[], None]) -> "Description":
    """Return a description of this machine's cage. Raises `ArenaFault`.

    Call `meanwhile` in this process while the other works.
    """
    return _apart(_examine_cage, settings, meanwhile=meanwhile)


def prepare(settings: Settings, note: Callable[[str], None]) -> str | None:
    """Upgrade the database and ensure an administrator. Returns the password if the account is new.

    A database of an older release is backed up before. `note` takes sentences about that.
    """
    return _apart(_prepare, settings, note)


def furnish(settings: Settings) -> None:
    """Enter the house bots and start the first tournament, unless that has been done."""
    _apart(_furnish, settings)


def _apart(step: Callable[..., Result], *arguments: object, meanwhile: Callable[[], None] = lambda: None) -> Result:
    """Return what the step returns in a process of its own, or raise what it raises."""
    reader, writer = Pipe(duplex=False)
    process = get_context("fork").Process(target=_answer, args=(writer, step, arguments))
    with reader:
        with writer:
            process.start()
        try:
            meanwhile()
            result, error = reader.recv()
        except EOFError:
            raise ArenaFault("A process that prepares the arena was killed. Is there enough memory?") from None
        finally:
            process.join()
    if error:
        raise error
    return cast("Result", result)


def _answer(writer: "Connection[Any, Any]", step: Callable[..., object], arguments: Sequence[object]) -> None:
    try:
        writer.send((step(*arguments), None))
    except KeyboardInterrupt:  # Ctrl-C reaches the supervisor, too, which says so
        pass
    except Exception as error:
        writer.send((None, error))


def _require_servers(settings: Settings) -> None:
    from arena.cli import parts

    if settings.broker_url and not parts.answers(settings.broker_url):
        raise ArenaError("No broker answers at ARENA_BROKER_URL. Start it, or unset the variable to have one started.")

    from arena.cli import database  # large

    database.require_server(settings)


def _examine_cage(settings: Settings) -> "Description":
    from arena.cli import cage

    return cage.require_cage(settings)


def _prepare(settings: Settings, note: Callable[[str], None]) -> str | None:
    from arena.cli import migrate

    migrate.back_up(settings, note)
    return migrate.prepare(settings)


def _furnish(settings: Settings) -> None:
    from arena.cli import migrate
    from workers.bell import CeleryBell

    migrate.furnish(settings, CeleryBell(settings))
