"""INSERT … ON CONFLICT, which both databases know and spell alike."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from arena.db.base import Base


def insert_missing(session: Session, model: type[Base], row: Mapping[str, Any]) -> None:
    """Insert the row, unless one with its key is there already."""
    session.execute(_insert(session, model).values(row).on_conflict_do_nothing())


def put(session: Session, model: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, or overwrite those that have the same primary key. All rows have the same columns."""
    if not rows:
        return
    keys = [column.name for column in model.__table__.primary_key]
    statement = _insert(session, model)
    changed = {name: statement.excluded[name] for name in rows[0] if name not in keys}
    session.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed), list(rows))


def count_up(session: Session, model: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, or add their numbers to those that have the same primary key. All rows have the same columns."""
    if not rows:
        return
    keys = [column.name for column in model.__table__.primary_key]
    statement = _insert(session, model)
    counted = {name: model.__table__.c[name] + statement.excluded[name] for name in rows[0] if name not in keys}
    session.execute(statement.on_conflict_do_update(index_elements=keys, set_=counted), list(rows))


def _insert(session: Session, model: type[Base]) -> sqlite.Insert | postgresql.Insert:
    dialect = session.get_bind().dialect.name
    return sqlite.insert(model) if dialect == "sqlite" else postgresql.insert(model)
