"""PostgreSQL databases that tests use one after the other: emptying one takes 1 % of the time of a new copy."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import sql

CATALOGS: Final = ("class", "attribute", "attrdef", "constraint", "index", "proc", "trigger", "type")
"""Catalogs that change with the schema."""
EMPTY: Final = """
SET session_replication_role = replica; -- no trigger fires, neither of foreign keys nor of the audit log
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
    EXECUTE format('DELETE FROM %I', name);
    -- Deleted rows still take pages. Up to this number, plans are those for a new table.
    IF pg_relation_size(quote_ident(name)) > 10 * current_setting('block_size')::int THEN
      EXECUTE format('TRUNCATE %I CASCADE', name);
    END IF;
  END LOOP;
  PERFORM setval(format('%I', sequencename)::regclass, start_value, false)
    FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL;
END $$
"""


class Emptied:
    """Databases on a server that has the template `empty`. A test that changes the schema of one uses it up."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._made = 0
        self._unused: dict[str, Any] = {}
        """What `_schema` returned for empty databases, by URL."""

    @contextmanager
    def one(self) -> Iterator[str]:
        """Yield the URL of a database with an empty schema."""
        url, schema = self._unused.popitem() if self._unused else self._make()
        yield url
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            if _schema(connection) == schema:
                connection.execute(EMPTY)
                self._unused[url] = _schema(connection)

    def _make(self) -> tuple[str, Any]:
        self._made += 1
        name = f"arena{self._made}"
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE empty").format(sql.Identifier(name)))
        url = self._server.replace("/postgres?", f"/{name}?")
        with psycopg.connect(url) as connection:
            return url, _schema(connection)


def _schema(connection: psycopg.Connection) -> Any:
    """Return what each change of the schema or of its version changes: numbers of rows, and their latest changes."""
    tables = ("alembic_version", *(f"pg_{name}" for name in CATALOGS))
    each = (f"SELECT count(*), max(xmin::text::bigint) FROM {table}" for table in tables)  # noqa: S608 -- constants
    return connection.execute(" UNION ALL ".join(each)).fetchall()
