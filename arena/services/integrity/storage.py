"""Integrity of the database itself: its pages and indexes, and references between rows."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Column, ForeignKeyConstraint, Select, and_, select, text
from sqlalchemy.orm import Session

from arena.db.models import Base
from arena.services.base.context import Arena
from arena.services.integrity.findings import Check, Wrong

SHOWN: Final = 100
"""Maximum number of violations listed per constraint."""


def pages(session: Session, _: str) -> Iterator[Wrong]:
    """Run SQLite's own check. On PostgreSQL, which checks pages as it reads them, list constraints not in force."""
    if session.get_bind().dialect.name == "sqlite":
        found = session.scalars(text(f"PRAGMA integrity_check({SHOWN})"))
        yield from (Wrong(str(line)) for line in found if line != "ok")
        return
    disabled = "SELECT conrelid::regclass || '.' || conname FROM pg_constraint WHERE NOT convalidated ORDER BY 1"
    yield from (Wrong(f"the constraint {name} has not been validated") for name in session.scalars(text(disabled)))


def references(session: Session, name: str) -> Iterator[Wrong]:
    """Check that the rows that a table refers to exist."""
    table = Base.metadata.tables[name]
    keys = list(table.primary_key)
    for constraint in sorted(table.foreign_key_constraints, key=lambda one: one.column_keys[0]):
        for row in session.execute(_dangling(constraint, keys)):
            *key, value = row
            shown = ", ".join(f"{column.name} {part}" for column, part in zip(keys, key, strict=True))
            column = constraint.column_keys[0]
            yield Wrong(f"the row with {shown} refers to {column} {value}, which is not in {constraint.referred_table}")


def _dangling(constraint: ForeignKeyConstraint, keys: Sequence[Column[Any]]) -> Select[Any]:
    [element] = constraint.elements
    parent = element.column.table.alias("parent")
    exists = select(parent.c[element.column.name]).where(parent.c[element.column.name] == element.parent).exists()
    return select(*keys, element.parent).where(and_(element.parent.is_not(None), ~exists)).order_by(*keys).limit(SHOWN)


def _tables(_: Arena) -> list[str]:
    return [table.name for table in Base.metadata.sorted_tables]


CHECKS = (Check("database", lambda _: [""], pages), Check("table of the database", _tables, references))
