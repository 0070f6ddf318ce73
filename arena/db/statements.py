"""Statements that change the schema, written once for both databases."""

import re
from typing import Final, NamedTuple

from sqlalchemy import Connection

from arena.games.errors import ArenaError

WORDS: Final = {
    "sqlite": {"SERIAL": "INTEGER", "ORDERED_JSON": "JSON", "EMPTY": "(x'')"},
    "postgresql": {
        "SERIAL": "BIGSERIAL", "INTEGER": "BIGINT", "DOUBLE": "DOUBLE PRECISION", "BLOB": "BYTEA", "JSON": "JSONB",
        "ORDERED_JSON": "JSON", "EMPTY": r"'\x'::bytea",
    },
}  # fmt: skip
"""Names of types that differ between databases. SERIAL numbers rows by itself, ORDERED_JSON keeps the order of
keys, and EMPTY is an empty BLOB."""
_COMMENT: Final = re.compile(r"^--.*\n", re.MULTILINE)
_ADDED: Final = re.compile(r"ALTER TABLE (\w+) ADD CONSTRAINT (\w+)\s+(.*)", re.DOTALL)
_DROPPED: Final = re.compile(r"ALTER TABLE (\w+) DROP CONSTRAINT (\w+)")
_NESTED: Final = r"CHECK \((?:[^()]|\([^()]*\))*\)"
_CHECK: Final = re.compile(r"CHECK \((.*)\)", re.DOTALL)
_REFERENCE: Final = re.compile(r"FOREIGN KEY \((.*)\) REFERENCES (\w+) \((.*)\)")


class _Constraint(NamedTuple):
    """A constraint to add to a table."""

    table: str
    name: str
    rule: str

    @property
    def violated(self) -> str:
        """Condition of the rows that violate it."""
        if check := _CHECK.fullmatch(self.rule):
            return f"NOT ({check[1]})"
        columns, parent, keys = _REFERENCE.fullmatch(self.rule).groups()  # type: ignore[union-attr]
        pairs = list(zip(columns.split(", "), keys.split(", "), strict=True))
        given = " AND ".join(f"{self.table}.{column} IS NOT NULL" for column, _ in pairs)
        equal = " AND ".join(f"parent.{key} = {self.table}.{column}" for column, key in pairs)
        return f"{given} AND NOT EXISTS (SELECT 1 FROM {parent} AS parent WHERE {equal})"  # noqa: S608 -- no input


def run(connection: Connection, statements: str) -> None:
    """Run statements that end with a semicolon at the end of a line.

    Raises `ArenaError` if rows violate a constraint that is added.
    """
    added: list[_Constraint] = []
    dropped: list[tuple[str, str]] = []
    for statement in _COMMENT.sub("", translated(statements, connection.dialect.name)).split(";\n"):
        if constraint := _ADDED.fullmatch(statement.strip()):
            added.append(_Constraint(*constraint.groups()))
            _check(connection, added[-1])
        if former := _DROPPED.fullmatch(statement.strip()):
            dropped.append((former[1], former[2]))
        if statement.strip() and not ((constraint or former) and connection.dialect.name == "sqlite"):
            connection.exec_driver_sql(statement)
    if connection.dialect.name == "sqlite":
        _write(connection, dropped, added)


def translated(statements: str, dialect: str) -> str:
    """Return statements in the words of a database."""
    return re.sub(r"\b[A-Z_]+\b", lambda word: WORDS[dialect].get(word[0], word[0]), statements)


def _check(connection: Connection, added: _Constraint) -> None:
    count = connection.exec_driver_sql(f"SELECT count(*) FROM {added.table} WHERE {added.violated}").scalar_one()  # noqa: S608
    if count:
        raise ArenaError(
            f"The table {added.table} has rows that are not allowed ({added.name}): {count}. Every row must satisfy: "
            f"{added.rule}. Repair them with the release that wrote them: arena fsck --repair"
        )


def _write(connection: Connection, dropped: list[tuple[str, str]], added: list[_Constraint]) -> None:
    """Change constraints of SQLite's tables in the way that its documentation gives for changes that move no rows."""
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    for table, name in dropped:
        written = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
        schema = connection.exec_driver_sql(written, (table,)).scalar_one()
        connection.exec_driver_sql(
            "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
            (re.sub(rf", CONSTRAINT {name} {_NESTED}", "", schema), table),
        )
    for table, name, rule in added:
        connection.exec_driver_sql(
            "UPDATE sqlite_schema SET sql = substr(sql, 1, length(sql) - 1) || ? WHERE type = 'table' AND name = ?",
            (f", CONSTRAINT {name} {rule})", table),
        )
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = RESET")
