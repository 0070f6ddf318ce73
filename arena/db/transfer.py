"""Copies of whole databases: fill an empty one from an archive or another database, in one transaction."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from alembic import command
from sqlalchemy import Connection, Table, event, func, inspect, select, text
from sqlalchemy.exc import IntegrityError, OperationalError

from arena.db import schema
from arena.db.constraints import refusal
from arena.db.migrate import config
from arena.db.rows import TABLES, Counter, Row, Snapshot, Source, Tally, insert
from arena.db.session import connect
from arena.games.errors import ArenaError

OTHERS: Final = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
"""
"""SQL for the number of other connections to a PostgreSQL database; background processes have no user."""
SLOW: Final = {
    "sqlite": "SELECT 'DROP INDEX ' || name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    "postgresql": """
        SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
        UNION ALL
        SELECT format('DROP INDEX %I', indexname), indexdef FROM pg_indexes
        WHERE schemaname = current_schema() AND indexname NOT IN (SELECT conname FROM pg_constraint)
    """,
}
"""SQL for what slows inserting down, by dialect: a statement that drops it and one that creates it again."""


@contextmanager
def alone(url: str) -> Iterator[Connection]:
    """Open a transaction on a database that no other process uses; foreign keys are not enforced on SQLite.

    Raises `ArenaError` if another process uses it. On SQLite none can open it until the transaction ends.
    """
    engine = connect(url, pooled=False, enforced=False)
    if engine.name == "sqlite":
        event.listen(engine, "connect", _lock_file, insert=True)
    else:
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    try:
        with engine.execution_options(writes=True).connect() as connection, _begun(connection):
            yield connection
    except (OperationalError, sqlite3.OperationalError) as error:
        if "database is locked" not in str(error):
            raise
        raise _in_use(engine.url) from None
    finally:
        engine.dispose()


def fill(connection: Connection, source: Source, replace: bool = False) -> Mapping[str, Tally]:
    """Copy all tables of `source` to a database, upgrade its schema, and return their tallies.

    Raises `ArenaError` if the database holds an arena and `replace` is false, if the source is of a newer release, too
    old or does not fit its schema, or if the copy differs.
    """
    if not source.revision:
        raise ArenaError("The source holds no arena.")
    schema.check_known(source.revision, "The data")
    _make_room(connection, replace)
    command.upgrade(config(connection), source.revision)
    copy = _matching(connection, source)
    with _set_aside(connection):
        tallies = {name: _copy(connection, table, source) for name, table in copy.tables.items()}
        _check_references(connection)
    for name, table in copy.tables.items():
        if _tally(table, source, copy.rows(table, source.columns[name])) != tallies[name]:
            raise ArenaError(f"The copy of the table {name} differs from its source. Nothing was changed.")
    _set_sequences(connection, copy)
    command.upgrade(config(connection), "head")
    return tallies


def _lock_file(connection: Any, _: object) -> None:
    for pragma in ("locking_mode=EXCLUSIVE", "busy_timeout=500"):
        connection.execute(f"PRAGMA {pragma}").close()


@contextmanager
def _begun(connection: Connection) -> Iterator[None]:
    with connection.begin():
        if connection.dialect.name == "postgresql" and connection.scalar(text(OTHERS)):
            raise _in_use(connection.engine.url)
        yield


def _in_use(url: object) -> ArenaError:
    return ArenaError(f"The database {url!r} is in use. Stop the arena and every other program that uses it.")


def _make_room(connection: Connection, replace: bool) -> None:
    """Drop the tables of an arena if `replace` is set. Raises `ArenaError` if there are any and it is not."""
    names = {"alembic_version", *TABLES} & set(inspect(connection).get_table_names())
    if names and not replace:
        raise ArenaError(f"The database {connection.engine.url!r} already holds an arena. --replace deletes it.")
    cascade = " CASCADE" if connection.dialect.name == "postgresql" else ""
    for name in names:
        connection.execute(text(f"DROP TABLE {name}{cascade}"))


def _matching(connection: Connection, source: Source) -> Snapshot:
    """Return the empty tables. Raises `ArenaError` if the source has others, or other columns."""
    copy = Snapshot(connection, removed=source.columns)
    ours, theirs = ({name: sorted(names) for name, names in one.columns.items()} for one in (copy, source))
    if differing := sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)):
        raise ArenaError(f"The data does not fit its schema {source.revision}: {', '.join(differing)} differ")
    return copy


@contextmanager
def _set_aside(connection: Connection) -> Iterator[None]:
    """Drop indexes and foreign keys, and create them again at the end; PostgreSQL then checks all references."""
    slow = connection.execute(text(SLOW[connection.dialect.name])).all()
    for drop, _ in slow:
        connection.exec_driver_sql(drop)
    yield
    try:
        for _, create in slow:
            connection.exec_driver_sql(create)
    except IntegrityError as error:
        raise _refused(refusal(error.orig or error)) from None


def _copy(connection: Connection, table: Table, source: Source) -> Tally:
    counter = Counter(table, source.columns[table.name])
    try:
        insert(connection, table.name, source.columns[table.name], counter.through(source.rows(table)))
    except connection.dialect.loaded_dbapi.IntegrityError as error:
        raise _refused(refusal(error)) from None
    return counter.tally


def _check_references(connection: Connection) -> None:
    """Raise `ArenaError` if a row on SQLite, which does not enforce references meanwhile, refers to none."""
    if connection.dialect.name == "sqlite":
        for child, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            raise _refused(f"the table {child} has a row that refers to none of {parent}")


def _refused(why: str) -> ArenaError:
    return ArenaError(f"The data is damaged: {why}. Nothing was changed.")


def _tally(table: Table, source: Source, rows: Iterator[Row]) -> Tally:
    counter = Counter(table, source.columns[table.name])
    for _ in counter.through(rows):
        pass
    return counter.tally


def _set_sequences(connection: Connection, copy: Snapshot) -> None:
    """Let new IDs follow those that were copied, and gather statistics, on PostgreSQL. SQLite needs neither."""
    if connection.dialect.name == "sqlite":
        return
    for name, table in copy.tables.items():
        if "id" in table.columns:
            last, sequence = func.max(table.columns["id"]), func.pg_get_serial_sequence(name, "id")
            connection.execute(select(func.setval(sequence, func.coalesce(last, 1), last.is_not(None))))
    connection.exec_driver_sql("ANALYZE")
