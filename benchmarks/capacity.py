"""Throughput that `arena capacity` predicts, beside that of running workers."""

from typing import Final, NamedTuple

from sqlalchemy import text

from arena.cli.capacity import size
from arena.cli.costs import measure
from arena.games.registry import DEFAULT_VARIANT
from arena.services.base.context import Arena
from arena.services.work.capacity import LOG_FACTOR, Costs
from benchmarks import queue
from benchmarks.databases import databases
from benchmarks.engine import cpu
from benchmarks.results import NOTHING, Table, digits
from benchmarks.sides.tables import BOT

PROCESSES: Final = (1, 2)
SECONDS: Final = 10.0
"""Seconds of the measurement that the prediction is made of."""
TOLERANCE: Final = 0.25
"""Target for the difference between prediction and run, as a share of the run."""


class Run(NamedTuple):
    """Tables per second of some worker processes."""

    processes: int
    predicted: float
    measured: float


def run(rounds: int) -> list[Table]:
    """Measure, predict and run on each database, and return one table."""
    tables = queue.PER_ROUND * rounds
    rows = []
    with databases() as opened:
        for name, arena in opened.items():
            costs = measure(arena.settings, DEFAULT_VARIANT, [BOT.read_bytes()], SECONDS)
            before = written(arena)
            rows += [row(name, found) for found in runs(arena, costs, tables)]
            log = (written(arena) - before) / (tables * len(PROCESSES))
            rows.append(log_row(name, costs, log))
    notes = (
        f"Tables of Suitability for four between trivial bots, {tables} for each row.\n"
        f"The run has Celery, Valkey, beat and the database on the same cores. {cpu()}."
    )
    return [Table("Capacity, predicted and run", notes, ("", "predicted", "run", "ratio", "target", "reached"), rows)]


def runs(arena: Arena, costs: Costs, tables: int) -> list[Run]:
    """Run worker processes on this database."""
    found = []
    for processes in PROCESSES:
        with queue.running_parts(arena.settings, processes) as settings:
            found.append(Run(processes, costs.rate(processes), queue.rate(settings, tables)))
    return found


def row(name: str, found: Run) -> tuple[str, ...]:
    """Return the row of a run."""
    ratio = found.predicted / found.measured
    return (
        f"{name}, {found.processes} worker process{'es' * (found.processes > 1)}",
        f"{digits(found.predicted)} tables/s",
        f"{digits(found.measured)} tables/s",
        f"{digits(ratio)}×",
        f"{1 - TOLERANCE:g} to {1 + TOLERANCE:g}×",
        "yes" if abs(ratio - 1) <= TOLERANCE else "no",
    )


def written(arena: Arena) -> int:
    """Return the bytes of PostgreSQL's log so far; 0 on SQLite."""
    if arena.database.engine.name == "sqlite":
        return 0
    with arena.reading() as session:
        return int(session.execute(text("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")).scalar_one())


def log_row(name: str, costs: Costs, log: float) -> tuple[str, ...]:
    """Return the row of the bytes that a table writes to the log."""
    predicted = costs.stored * LOG_FACTOR
    ratio = f"{digits(predicted / log)}×" if log else NOTHING
    return (f"{name}, log of a table", size(predicted), size(log) if log else NOTHING, ratio, NOTHING, NOTHING)
