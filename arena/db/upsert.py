"""INSERT … ON CONFLICT, which both databases spell alike."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from arena.db.base import Base


def insert_missing(session: Session, model: type[Base], row: Mapping[str, Any]) -> None:
    """Insert the row unless one with the same key exists."""
    session.execute(_insert(_dialect(session), model).values(row).on_conflict_do_nothing())


def put(session: Session, model: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, or overwrite existing ones with the same primary key. All rows must have the same columns."""
    if rows:
        session.connection().execute(_replacing(_dialect(session), model, tuple(rows[0])), list(rows))


def count_up(session: Session, model: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows with equal columns, or add their numbers to existing rows with the same primary key."""
    if rows:
        session.connection().execute(_counting(_dialect(session), model, tuple(rows[0])), list(rows))


# Cached: every result executes some of these, and building a statement takes longer than executing it.
@cache
def _replacing(dialect: str, model: type[Base], names: Sequence[str]) -> Executable:
    statement, keys = _insert(dialect, model), _keys(model)
    changed = {name: statement.excluded[name] for name in names if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)


@cache
def _counting(dialect: str, model: type[Base], names: Sequence[str]) -> Executable:
    statement, keys, columns = _insert(dialect, model), _keys(model), model.__table__.c
    counted = {name: columns[name] + statement.excluded[name] for name in names if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=counted)


def _keys(model: type[Base]) -> list[str]:
    return [column.name for column in model.__table__.primary_key]


def _dialect(session: Session) -> str:
    return session.get_bind().dialect.name


def _insert(dialect: str, model: type[Base]) -> sqlite.Insert | postgresql.Insert:
    table: Any = model.__table__
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
