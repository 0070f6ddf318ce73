"""Constraints of the models: find missing ones and rows that violate them, and explain refusals of a database."""

import re
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    Connection,
    Constraint,
    ForeignKeyConstraint,
    Index,
    Table,
    and_,
    select,
    text,
)
from sqlalchemy.orm import Session

from arena.db.models import Base

SHOWN: Final = 100
"""Maximum number of violations listed per constraint."""
_DEFINED: Final = {
    "sqlite": "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL",
    "postgresql": """
        SELECT conname FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND convalidated
        UNION ALL SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()
    """,
}
"""SQL for texts that name the constraints and indexes in force, by dialect."""


def missing(session: Session) -> Iterator[str]:
    """Yield the name of each constraint and index of the models that a database lacks."""
    defined = set(re.findall(r"\w+", "\n".join(session.scalars(text(_DEFINED[session.get_bind().dialect.name])))))
    for table in Base.metadata.sorted_tables:
        named: list[Constraint | Index] = [*table.constraints, *table.indexes]
        names = {str(one.name) for one in named}
        yield from sorted(names - defined)


def violations(connection: Connection, table: Table) -> Iterator[str]:
    """Yield a sentence for each row of a table that a CHECK or a foreign key does not allow."""
    keys = list(table.primary_key)
    for constraint in sorted(table.constraints, key=lambda one: str(one.name)):
        if isinstance(constraint, CheckConstraint):
            wrong: Any = text(f"NOT ({constraint.sqltext})")
            shown = [*keys]
        elif isinstance(constraint, ForeignKeyConstraint):
            wrong, shown = _dangling(constraint), [*keys, *constraint.columns]
        else:
            continue
        for row in connection.execute(select(*shown).where(wrong).order_by(*keys).limit(SHOWN)):
            named = [f"{column.name} {value}" for column, value in zip(shown, row, strict=True)]
            key, rest = ", ".join(named[: len(keys)]), ", ".join(named[len(keys) :])
            if isinstance(constraint, ForeignKeyConstraint):
                yield f"the row with {key} refers to {rest}, which is not in {constraint.referred_table}"
            else:
                yield f"the row with {key} does not satisfy {constraint.name}: {constraint.sqltext}"


def refusal(error: Exception) -> str:
    """Return what a driver's error says, with the rule if it is about a constraint of the models."""
    said = " ".join(str(error).split())
    for table in Base.metadata.sorted_tables:
        for one in table.constraints:
            if isinstance(one, CheckConstraint) and re.search(rf"\b{one.name}\b", said):
                return f"the table {table.name} allows only rows that satisfy {one.name}: {one.sqltext}"
    return said


def _dangling(constraint: ForeignKeyConstraint) -> ColumnElement[bool]:
    """Return the condition of the rows that refer to no row."""
    parent = constraint.referred_table.alias("parent")
    pairs = [(element.parent, parent.c[element.column.name]) for element in constraint.elements]
    exists = select(1).where(*(own == theirs for own, theirs in pairs)).exists()
    return and_(*(own.is_not(None) for own, _ in pairs), ~exists)
