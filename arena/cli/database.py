"""The database as commands use it: what goes wrong with it is a sentence, not a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic.util.exc import CommandError
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from arena.games.errors import ArenaError
from arena.services.context import Arena, Bell, open_arena, silent
from arena.settings import Settings


@contextmanager
def explained() -> Iterator[None]:
    """Turns the database's errors into ArenaError."""
    try:
        yield
    except (SQLAlchemyError, CommandError) as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        raise ArenaError(f"The database (ARENA_DATABASE_URL) cannot be used: {reason}") from None


@contextmanager
def opened(settings: Settings, bell: Bell = silent) -> Iterator[Arena]:
    """The arena of these settings, closed at the end. Raises ArenaError where there is no database, or it fails."""
    path = make_url(settings.database_url).database or ""
    if settings.database_url.startswith("sqlite:") and not Path(path).exists():
        raise ArenaError(f"There is no database {path}. Name its folder with ARENA_HOME, or make it: arena migrate")
    with explained():
        arena = open_arena(settings, bell)
        try:
            yield arena
        finally:
            arena.close()
