"""Comparison of a database's schema with the one of this release.

It reads Alembic's table with plain SQL and takes revisions from the names of files: importing Alembic would cost every
process time and memory.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from arena.games.errors import Misconfigured

MIGRATIONS: Final = Path(__file__).parent / "migrations"
_REVISION: Final = re.compile(r"\d{4}")
"""Form of all revisions. They are numbered in the order in which they apply."""


class ForeignSchema(Misconfigured):
    """A database that this release cannot use: no arena's, or one of an older or newer release."""


def check(connection: Connection) -> None:
    """Raise `ForeignSchema` unless the database has the schema of this release."""
    found = revision(connection)
    if found is None:
        raise ForeignSchema("The database (ARENA_DATABASE_URL) holds no arena. To create one, run: arena migrate")
    if found < newest():
        raise ForeignSchema(
            f"The database (ARENA_DATABASE_URL) is of an older release (schema {found}; this release needs "
            f"{newest()}). To upgrade it, run: arena migrate"
        )
    _refuse_newer(found)


def check_upgradable(connection: Connection) -> None:
    """Raise `ForeignSchema` if the database is of a newer release. Empty ones and those of older releases pass."""
    _refuse_newer(revision(connection) or "")


def revision(connection: Connection) -> str | None:
    """Return the revision of the database's schema; None if it holds no arena. Raises `ForeignSchema`."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if found is not None and not _REVISION.fullmatch(found):
        raise ForeignSchema(f"The database (ARENA_DATABASE_URL) is another program's (schema {found[:40]!r}).")
    return found


@cache
def newest() -> str:
    """Return the revision of this release's schema."""
    return max(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def _refuse_newer(found: str) -> None:
    if found > newest():
        raise ForeignSchema(
            f"The database (ARENA_DATABASE_URL) is of a newer release (schema {found}; this release knows up to "
            f"{newest()}). Upgrade Suit Arena on this machine."
        )
