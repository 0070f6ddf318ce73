"""Bring a database up to the present schema; safe when several processes start at once."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from arena.db.session import connect

LOCK: Final = 0x53554954
"""The advisory lock on PostgreSQL under which the schema changes."""


def upgrade(url: str) -> None:
    """Apply every migration that is missing, in one transaction."""
    # SQLite changes a constraint by making a table anew, which those that refer to it must not notice.
    engine = connect(url, pooled=False, enforced=False)
    try:
        with engine.execution_options(writes=True).begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            command.upgrade(config(connection), "head")
    finally:
        engine.dispose()


def config(connection: Connection) -> Config:
    """Alembic's configuration for an open connection."""
    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    made.attributes["connection"] = connection
    return made
