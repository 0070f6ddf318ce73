"""Throughput of workers with queue, database and ratings, beside the same cage with none of them."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import func, select

from arena.cli import parts
from arena.cli.costs import enter_bots
from arena.cli.processes import Part
from arena.db.models import Attempt, Bot, Table, Tournament
from arena.games.registry import DEFAULT_VARIANT
from arena.services.base.context import Arena, open_arena
from arena.services.formats.plans import Plan
from arena.services.tournaments import stages
from arena.settings import Settings
from benchmarks import spending
from benchmarks.child import ROOT
from benchmarks.databases import databases
from benchmarks.engine import cpu
from benchmarks.results import NOTHING, at_least, digits
from benchmarks.results import Table as Shown
from benchmarks.sides.tables import BOT
from workers.bell import CeleryBell

BOTS: Final = 6
PER_ROUND: Final = 15
"""Number of tables per round: every four of six bots."""
WARM: Final = 0.1
"""Share of the tables that is played before the clock starts."""
FIRST: Final = 60
"""Number of tables played before anything is measured."""
SHORT: Final = "single"
"""Seatings of tables of one match."""
PROCESSES: Final = (1, 2, 4)
"""Numbers of worker processes."""
USUAL: Final = 2
"""Number of worker processes whose CPU time is shown by part."""
KEPT: Final = 0.9
"""Target for the throughput, as a share of that without queue and database."""
TWICE: Final = 1.8
"""Target for two worker processes, relative to one."""
PATIENCE: Final = 600.0
"""Timeout in seconds for any wait."""


def run(rounds: int) -> list[Shown]:
    """Measure throughput and CPU time on each database and return the tables."""
    tables = PER_ROUND * rounds
    alone = {processes: bare(processes, tables) for processes in PROCESSES}
    rates: dict[str, dict[int, float]] = {}
    used: dict[str, dict[str, float]] = {}
    with databases() as opened:
        for name, arena in opened.items():
            rates[name] = {}
            for processes in alone:
                with running_parts(arena.settings, processes) as settings:
                    rate(settings, FIRST, SHORT)  # opens the cages
                    before = spending.spent(arena)
                    rates[name][processes] = rate(settings, tables, SHORT)
                    if processes == USUAL:
                        after = spending.spent(arena)
                        used[name] = {part: (after[part] - before[part]) / whole_rounds(tables) for part in after}
    speeds = throughput(tables, {processes: each.rate for processes, each in alone.items()}, rates)
    return [speeds, spending.table(alone[USUAL].cpu, used, USUAL)]


class Bare(NamedTuple):
    """Play without queue and database."""

    rate: float
    """Tables per second of all processes."""
    cpu: float
    """CPU seconds of a table, with those of the bots."""


def bare(processes: int, tables: int) -> Bare:
    """Play tables in this many processes, one per core, without queue and database."""
    each = tables // processes
    command = [sys.executable, "-m", "benchmarks.sides.tables"]
    started = [
        subprocess.Popen([*command, str(core), str(each)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for core in range(processes)
    ]
    found = [tuple(map(float, process.communicate()[0].split())) for process in started]
    return Bare(sum(each / seconds for seconds, _ in found), sum(cpu for _, cpu in found) / (each * processes))


def whole_rounds(tables: int) -> int:
    """Return the number of tables of the smallest tournament with at least this many."""
    return -(-tables // PER_ROUND) * PER_ROUND


def field(arena: Arena) -> list[int]:
    """Create bots that play the first legal action, unless they exist, and return the IDs of their versions."""
    with arena.transaction() as session:
        if not session.scalar(select(func.count()).select_from(Bot)):
            enter_bots(session, BOT.read_bytes(), BOTS)
    return list(range(1, BOTS + 1))


def tournament(arena: Arena, tables: int, seatings: str = "rotations") -> int:
    """Start a tournament of at least this many tables and return its ID. `seatings` decides on their matches."""
    versions = field(arena)
    with arena.transaction() as session:
        shape = {"rounds": whole_rounds(tables) // PER_ROUND}
        plan = Plan("a cup", DEFAULT_VARIANT, shape=shape, boards=1, seatings=seatings)
        return stages.start(session, plan, versions, 1)


@contextmanager
def running_parts(settings: Settings, processes: int) -> Iterator[Settings]:
    """Run a broker, a beat and worker processes, and yield their settings."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder, ExitStack() as running:
        path = Path(folder) / "valkey.sock"
        given = {**settings.environ(), "ARENA_WORKERS": str(processes), "ARENA_BROKER_URL": f"redis+socket://{path}"}
        own = Settings.from_env(given)
        for needed in (own.logs, own.home / "run"):
            needed.mkdir(parents=True, exist_ok=True)
        for part in (parts.broker(own, path), parts.workers(own), parts.beat(own)):
            running.enter_context(process(part))
        yield own


@contextmanager
def process(part: Part) -> Iterator[None]:
    """Run a part; enters when the part is ready."""
    part.before()
    with part.log.open("ab") as log:
        started = subprocess.Popen(
            part.command, env=dict(part.environ), cwd=part.folder, stdout=log, stderr=log, start_new_session=True
        )
    try:
        wait(lambda: part.ready() or started.poll() is not None)
        if started.poll() is not None:
            raise RuntimeError(f"{part.name} ended: {part.log.read_text().strip().splitlines()[-1:]}")
        yield
    finally:
        started.terminate()
        started.wait(60)


def wait(until: Callable[[], bool]) -> None:
    """Poll until the condition holds. Raises `TimeoutError`."""
    end = time.monotonic() + PATIENCE
    while not until():
        if time.monotonic() > end:
            raise TimeoutError("the workers did not finish in time; see their logs")
        time.sleep(0.05)


def rate(settings: Settings, tables: int, seatings: str = "rotations") -> float:
    """Return the rated tables per second of the running workers."""
    arena = open_arena(settings, CeleryBell(settings))
    try:
        cup = tournament(arena, tables, seatings)
        wait(partial(_over, arena, cup))
        with arena.reading() as session:
            ended = select(Attempt.ended).join(Table).where(Table.tournament_id == cup).order_by(Attempt.ended)
            times = [float(at or 0) for at in session.scalars(ended)]
    finally:
        arena.close()
    warm = max(1, int(len(times) * WARM))
    return (len(times) - warm) / (times[-1] - times[warm - 1])


def _over(arena: Arena, cup: int) -> bool:
    with arena.reading() as session:
        found = session.get_one(Tournament, cup)
        return found.tables_done == found.folded == found.tables_total


def throughput(tables: int, alone: dict[int, float], rates: dict[str, dict[int, float]]) -> Shown:
    """Return a table with a row per number of processes, and one for the gain of the second process."""
    notes = (
        f"Tables of one match of four deals of Suitability for four, {tables} of them, trivial bots.\n"
        f"Celery, Valkey, beat and database run on the same cores. {cpu()}."
    )
    rows = [
        (
            f"{processes} worker process{'es' * (processes > 1)}", _speed(without),
            *(c for by in rates.values() for c in (_speed(by[processes]), *at_least(by[processes] / without, KEPT))),
        )
        for processes, without in alone.items()
    ]  # fmt: skip
    gains = (cell for by in rates.values() for cell in (NOTHING, *at_least(by[2] / by[1], TWICE)))
    rows.append(("two relative to one", f"{digits(alone[2] / alone[1])}×", *gains))
    head = ("", "without", *(cell for name in rates for cell in (name, "ratio", "target", "reached")))
    return Shown("Queue, database and ratings beside the cage alone", notes, head, rows)


def _speed(rate: float) -> str:
    return f"{digits(rate)} tables/s"
