"""Throughput that `arena capacity` predicts, beside that of running workers."""

from typing import Final, NamedTuple

from arena.cli.costs import measure
from arena.games.registry import DEFAULT_VARIANT
from arena.services.base.context import Arena
from arena.services.work.capacity import Costs
from benchmarks import queue
from benchmarks.databases import databases
from benchmarks.engine import cpu
from benchmarks.results import Table, digits, reached
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
            rows += [row(name, found) for found in runs(arena, costs, tables)]
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
        reached(abs(ratio - 1) <= TOLERANCE),
    )
