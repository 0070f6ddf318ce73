"""Costs of work on a database, in numbers that do not depend on the speed of the machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, event

from arena.services.base.context import Arena


@dataclass
class Cost:
    """Cost of some work so far."""

    statements: int = 0
    writes: int = 0
    """Number of write transactions."""
    steps: int = 0
    """Number of steps of SQLite's virtual machine, which grows with every row that is read; 0 on PostgreSQL."""


@contextmanager
def measured(arena: Arena) -> Iterator[Cost]:
    """Yield the cost of what happens in the block."""
    cost = Cost()

    def step() -> None:
        cost.steps += 1

    def execute(connection: Connection, *_: Any) -> None:
        cost.statements += 1
        if connection.dialect.name == "sqlite":
            connection.connection.driver_connection.set_progress_handler(step, 1)  # type: ignore[union-attr]

    def commit(connection: Connection) -> None:
        cost.writes += bool(connection.get_execution_options().get("writes"))

    listeners = {"before_cursor_execute": execute, "commit": commit}
    for name, listener in listeners.items():
        event.listen(arena.database.engine, name, listener)
    yield cost
    for name, listener in listeners.items():
        event.remove(arena.database.engine, name, listener)
