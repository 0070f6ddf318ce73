"""Load of a table on the database, by the number of tables in a batch. It does not depend on the machine's speed."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy import event, text

from arena.services.base.context import Arena
from arena.services.play.seats import BotCage
from arena.services.queue import batches
from arena.services.work import play
from benchmarks.results import NOTHING, Table, digits

SIZES: Final = (1, 4, 32)
"""Numbers of tables per batch."""
COUNTED: Final = ("commits", "statements", "rows updated", "WAL kB")


def traffic(arena: Arena, ids: Sequence[int], cage: BotCage) -> dict[int, dict[str, float]]:
    """Play these tables in batches of each size. Return the counts per batch size, divided by the number of tables."""
    share, found = len(ids) // len(SIZES), {}
    with patch.object(batches, "HOLD", float("inf")):
        for number, size in enumerate(SIZES):
            mine = ids[number * share : (number + 1) * share]
            with counted(arena) as counts:
                for at in range(0, share, size):
                    play.play_tables(arena, mine[at : at + size], cage, "benchmark")
            found[size] = {name: counts[name] / share for name in COUNTED}
    return found


@contextmanager
def counted(arena: Arena) -> Iterator[dict[str, float]]:
    """Yield counts of what happens in the database; complete when the block ends."""
    counts: dict[str, float] = defaultdict(float)

    def note(_: Any, cursor: Any, statement: str, parameters: Any, *more: Any) -> None:
        counts["statements"] += 1
        if statement.startswith("UPDATE") or "DO UPDATE" in statement:
            counts["rows updated"] += len(parameters) if more[-1] else max(0, cursor.rowcount)

    def commit(_: Any) -> None:
        counts["commits"] += 1

    before = wal(arena)
    listeners: dict[str, Callable[..., None]] = {"after_cursor_execute": note, "commit": commit}
    for name, listener in listeners.items():
        event.listen(arena.database.engine, name, listener)
    try:
        yield counts
    finally:
        for name, listener in listeners.items():
            event.remove(arena.database.engine, name, listener)
        counts["WAL kB"] = (wal(arena) - before) / 1000


def wal(arena: Arena) -> float:
    """Return the bytes that PostgreSQL has written ahead so far; 0 on SQLite."""
    if arena.database.engine.name == "sqlite":
        return 0.0
    with arena.reading() as session:
        return float(session.scalars(text("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")).one())


def shown(found: dict[str, dict[int, dict[str, float]]]) -> Table:
    """Return a table with a row per batch size and, for each database, a column per count."""
    notes = "Per table of one match, including its part of ratings and tallies; six bots meet again and again."
    rows = [
        (
            f"batches of {size}" if size > 1 else "single tables",
            *(digits(by[size][name]) if by[size][name] else NOTHING for by in found.values() for name in COUNTED),
        )
        for size in SIZES
    ]
    return Table("Load on the database", notes, ("", *(f"{db}: {name}" for db in found for name in COUNTED)), rows)
