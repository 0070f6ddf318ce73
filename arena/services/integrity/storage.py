"""Integrity of the database itself: its pages and indexes, and the constraints of every table."""

from collections.abc import Iterator

from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.db import constraints
from arena.db.models import Base
from arena.services.base.context import Arena
from arena.services.integrity.findings import Check, Wrong


def pages(session: Session, _: str) -> Iterator[Wrong]:
    """Run SQLite's own check (PostgreSQL checks pages as it reads them), and list constraints not in force."""
    if session.get_bind().dialect.name == "sqlite":
        found = session.scalars(text(f"PRAGMA integrity_check({constraints.SHOWN})"))
        # Of rows that violate a CHECK it names only the table; `rows` names the row.
        yield from (Wrong(line) for line in map(str, found) if line != "ok" and not line.startswith("CHECK "))
    yield from (Wrong(f"the constraint or index {name} is not in force") for name in constraints.missing(session))


def rows(session: Session, name: str) -> Iterator[Wrong]:
    """Check that all rows of a table satisfy its constraints, which a database edited by hand may not."""
    yield from map(Wrong, constraints.violations(session.connection(), Base.metadata.tables[name]))


def _tables(_: Arena) -> list[str]:
    return [table.name for table in Base.metadata.sorted_tables]


CHECKS = (Check("database", lambda _: [""], pages), Check("table of the database", _tables, rows))
