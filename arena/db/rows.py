"""Rows of whole tables in a form that both databases share, and tallies that prove copies equal."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from sqlalchemy import JSON, Connection, MetaData, Table, Text, cast, select

from arena.db import schema
from arena.db.base import Base

Row = tuple[Any, ...]
"""Values of a row; JSON columns are text, so that copies keep the order of keys."""

TABLES: Final = frozenset(Base.metadata.tables)
"""Names of the tables of this release."""
BATCH: Final = 1000
"""Number of rows that are read from a database at a time."""
_encode: Final = msgspec.json.Encoder().encode


class Tally(NamedTuple):
    """Content of a table, independent of the order of its rows and of the database that holds it."""

    rows: int
    digest: str
    """Sum of the rows' BLAKE2b hashes modulo 2^128, in hexadecimal."""


class Source(Protocol):
    """Tables to copy: those of a database or of an archive."""

    @property
    def revision(self) -> str:
        """Revision of the schema."""

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """Names of the columns by name of the table."""

    def rows(self, table: Table) -> Iterator[Row]:
        """Yield all rows of a table, with values of its columns' types in the order of `columns`."""


class Snapshot:
    """The arena's tables in a database, as one transaction sees them."""

    def __init__(self, connection: Connection, removed: Collection[str] = ()) -> None:
        """Reflect the tables that exist, including those that this release has `removed` from its schema."""
        self._connection = connection
        found = MetaData()
        found.reflect(connection, only=lambda name, _: name in TABLES or name in removed, resolve_fks=False)
        self.tables: Mapping[str, Table] = found.tables

    @property
    def revision(self) -> str:
        """Revision of the schema."""
        return schema.revision(self._connection) or ""

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """Names of the columns by name of the table."""
        return {str(name): [str(column) for column in table.columns.keys()] for name, table in self.tables.items()}  # noqa: SIM118

    def rows(self, table: Table, columns: Sequence[str] = ()) -> Iterator[Row]:
        """Yield all rows of the table of this name; `columns` are all its columns in the order to read them."""
        own = self.tables[table.name].columns
        chosen = [_portable(own[name]) for name in columns or own.keys()]
        for batch in self._connection.execute(select(*chosen), execution_options={"yield_per": BATCH}).partitions():
            yield from map(tuple, batch)


class Counter:
    """Counts and hashes the rows that pass through it."""

    def __init__(self, table: Table, columns: Sequence[str]) -> None:
        self._json = [n for n, name in enumerate(columns) if isinstance(table.columns[name].type, JSON)]
        self._rows = self._sum = 0

    @property
    def tally(self) -> Tally:
        """Tally of the rows so far."""
        return Tally(self._rows, f"{self._sum % 2**128:032x}")

    def through(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows unchanged, and count them."""
        for row in rows:
            line = _encode(self._canonical(row) if self._json else row)
            self._sum += int.from_bytes(blake2b(line, digest_size=16).digest())
            self._rows += 1
            yield row

    def _canonical(self, row: Row) -> Row:
        values = list(row)
        for column in self._json:
            values[column] = values[column] and _canonical_json(values[column])
        return tuple(values)


def insert(connection: Connection, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert rows in a stream, by the fastest method of the database."""
    names = ", ".join(f'"{name}"' for name in columns)
    cursor: Any = connection.connection.cursor()
    if connection.dialect.name == "sqlite":
        cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})", rows)  # noqa: S608
        return
    with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _portable(column: Any) -> Any:
    return cast(column, Text) if isinstance(column.type, JSON) else column


def _canonical_json(text: str) -> str:
    """Return JSON that is equal for equal values: PostgreSQL's jsonb sorts keys and writes 1e22 in digits."""
    return json.dumps(json.loads(text, parse_int=float), sort_keys=True)
