"""Database access for commands; database errors become one-line messages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from arena.cli.parts import running_broker
from arena.db import schema
from arena.db.constraints import refusal
from arena.db.session import connect
from arena.games.errors import ArenaError
from arena.services.base.access import Account
from arena.services.base.context import Arena, Bell, open_arena, silent
from arena.services.people import accounts
from arena.settings import Settings


@contextmanager
def explained(database: str = "The database (ARENA_DATABASE_URL)") -> Iterator[None]:
    """Convert errors of a database to `ArenaError`."""
    try:
        yield
    except IntegrityError as error:
        raise ArenaError(f"{database} refused a change: {refusal(error.orig or error)}") from None
    except SQLAlchemyError as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        raise ArenaError(f"{database} cannot be used: {reason}") from None


def bell(settings: Settings) -> Bell:
    """Return a bell for the broker that runs, so that workers start at once; a silent one leaves it to the sweep."""
    url = running_broker(settings)
    if url is None:
        return silent
    from workers.bell import CeleryBell  # takes half a second

    return CeleryBell(replace(settings, broker_url=url))


@contextmanager
def opened(
    settings: Settings | None = None, bell: Bell = silent, check: Callable[[Connection], None] = schema.check
) -> Iterator[Arena]:
    """Open the arena, by default that of the environment, and close it at the end. `check` accepts the schema.

    Raises `ArenaError` if the database does not exist, is of another release, or fails.
    """
    settings = settings or Settings.from_env()
    require_file(settings)
    with explained():
        arena = open_arena(settings, bell)
        try:
            with arena.database.engine.connect() as connection:
                check(connection)
            yield arena
        finally:
            arena.close()


@contextmanager
def operated() -> Iterator[tuple[Arena, Account]]:
    """Yield the arena and the first administrator, in whose name the operator acts. Raises `ArenaError`."""
    settings = Settings.from_env()
    with opened(settings, bell(settings)) as arena:
        yield arena, accounts.operator(arena)


def require_server(settings: Settings) -> None:
    """Raise `ArenaError` unless the database is a SQLite file, or its server has a database that can be upgraded."""
    if not settings.database_url.startswith("sqlite:"):
        with explained(), connect(settings.database_url, pooled=False).connect() as connection:
            schema.check_upgradable(connection)


def require_file(settings: Settings) -> None:
    """Raise `ArenaError` if the database is a SQLite file that does not exist: opening it would create it."""
    if missing := missing_file(settings):
        raise ArenaError(f"There is no database {missing}. Set ARENA_HOME to its folder, or create it: arena migrate")


def missing_file(settings: Settings) -> Path | None:
    """Return the path of the database if it is a SQLite file that does not exist."""
    path = Path(make_url(settings.database_url).database or "")
    return path if settings.database_url.startswith("sqlite:") and not path.exists() else None
