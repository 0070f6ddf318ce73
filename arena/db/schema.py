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
DATABASE: Final = "The database (ARENA_DATABASE_URL)"
_REVISION: Final = re.compile(r"\d{4}")
"""Form of all revisions. They are numbered in the order in which they apply."""


class ForeignSchema(Misconfigured):
    """A database that this release cannot use: no arena's, or one of an older or newer release."""


def check(connection: Connection) -> None:
    """Raise `ForeignSchema` unless the database has the schema of this release."""
    found = revision(connection)
    if found is None:
        raise ForeignSchema(f"{DATABASE} holds no arena. To create one, run: arena migrate")
    check_known(found, DATABASE)
    if found < newest():
        raise ForeignSchema(
            f"{DATABASE} is of an older release (schema {found}; this release needs {newest()}). To upgrade it, run: "
            "arena migrate"
        )


def check_upgradable(connection: Connection) -> None:
    """Raise `ForeignSchema` unless the database is empty, or this release can upgrade it."""
    if found := revision(connection):
        check_known(found, DATABASE)


def check_known(found: str, what: str) -> None:
    """Raise `ForeignSchema` if a schema is newer than this release's, or too old to be upgraded; `what` has it."""
    known = _revisions()
    if found > known[-1]:
        raise ForeignSchema(
            f"{what} is of a newer release (schema {found}; this release knows up to {known[-1]}). Upgrade Suit Arena "
            "on this machine."
        )
    if found < known[0]:
        raise ForeignSchema(
            f"{what} is from before the first release (schema {found}; this release upgrades from {known[0]} on). Run "
            f"the last development version with schema {known[0]} first: arena migrate"
        )


def revision(connection: Connection) -> str | None:
    """Return the revision of the database's schema; None if it holds no arena. Raises `ForeignSchema`."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if found is not None and not _REVISION.fullmatch(found):
        raise ForeignSchema(f"{DATABASE} is another program's (schema {found[:40]!r}).")
    return found


def newest() -> str:
    """Return the revision of this release's schema."""
    return _revisions()[-1]


@cache
def _revisions() -> list[str]:
    return sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))
