"""Migration of a database to the current schema. Several processes may start it at the same time."""

from contextlib import suppress
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, make_url, text

from arena.db import schema
from arena.db.session import connect

LOCK: Final = 0x53554954
"""Key of the PostgreSQL advisory lock that is held during a migration."""


def upgrade(url: str) -> None:
    """Apply all missing migrations in one transaction, and make a SQLite file private.

    Raises `ForeignSchema` if a newer release made the database, or one before the first.
    """
    _make_private(url)
    # SQLite changes a constraint by recreating the table, while other tables refer to it.
    engine = connect(url, pooled=False, enforced=False)
    try:
        with engine.execution_options(writes=True).begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            schema.check_upgradable(connection)
            command.upgrade(config(connection), "head")
    finally:
        engine.dispose()


def _make_private(url: str) -> None:
    """Keep other users of the machine from reading a SQLite file, whatever made its folder; its logs get its mode."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        path = Path(parsed.database or "").absolute()
        with suppress(OSError):  # the connection will report it
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.chmod(path.stat().st_mode & ~0o007)


def config(connection: Connection) -> Config:
    """Return Alembic's configuration for an open connection."""
    made = Config()
    made.set_main_option("script_location", str(schema.MIGRATIONS).replace("%", "%%"))  # "%" interpolates in ini files
    made.attributes["connection"] = connection
    return made
