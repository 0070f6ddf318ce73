"""Statements that change the schema, written once for both databases."""

import re
from typing import Final

from sqlalchemy import Connection

WORDS: Final = {
    "sqlite": {"SERIAL": "INTEGER", "ORDERED_JSON": "JSON", "EMPTY": "(x'')"},
    "postgresql": {
        "SERIAL": "BIGSERIAL", "INTEGER": "BIGINT", "DOUBLE": "DOUBLE PRECISION", "BLOB": "BYTEA", "JSON": "JSONB",
        "ORDERED_JSON": "JSON", "EMPTY": r"'\x'::bytea",
    },
}  # fmt: skip
"""What each database calls a type, where it differs. SERIAL numbers rows by itself, ORDERED_JSON keeps the order of
keys, and EMPTY is an empty BLOB."""
_COMMENT: Final = re.compile(r"^--.*\n", re.MULTILINE)
_ADDED: Final = re.compile(r"ALTER TABLE (\w+) ADD (CONSTRAINT .*)", re.DOTALL)


def run(connection: Connection, statements: str) -> None:
    """Run statements that end with a semicolon at the end of a line."""
    for statement in _COMMENT.sub("", translated(statements, connection.dialect.name)).split(";\n"):
        added = _ADDED.fullmatch(statement.strip())
        if added and connection.dialect.name == "sqlite":
            _add_constraint(connection, *added.groups())
        elif statement.strip():
            connection.exec_driver_sql(statement)


def translated(statements: str, dialect: str) -> str:
    """Return statements in the words of a database."""
    return re.sub(r"\b[A-Z_]+\b", lambda word: WORDS[dialect].get(word[0], word[0]), statements)


def _add_constraint(connection: Connection, table: str, constraint: str) -> None:
    """Add a constraint to a table of SQLite in the way that its documentation gives for changes that move no rows.

    The rows must satisfy it: SQLite does not look at them.
    """
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    longer = "UPDATE sqlite_schema SET sql = substr(sql, 1, length(sql) - 1) || ', ' || ? || ')' WHERE name = ?"
    connection.exec_driver_sql(longer, (constraint, table))
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = RESET")
