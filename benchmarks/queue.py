"""Throughput of workers with queue, database and ratings, beside the same cage with none of them."""

import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import redis
from sqlalchemy import func, select

from arena.cli import parts
from arena.cli.processes import Part
from arena.db.models import Attempt, Bot, Table, Tournament, User
from arena.games.registry import DEFAULT_VARIANT
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.services.base.context import PLAY, Arena, Doorbell, open_arena
from arena.services.bots.actions import new_version
from arena.services.formats.plans import Plan
from arena.services.play.table import Work, play_work
from arena.services.queue import claims
from arena.services.ratings import tallies
from arena.services.ratings.fold import fold
from arena.services.tournaments import stages
from arena.services.work import play
from arena.settings import Settings
from benchmarks import spending, traffic
from benchmarks.child import ROOT
from benchmarks.databases import databases
from benchmarks.engine import cpu
from benchmarks.results import NOTHING, digits, durations, quartiles
from benchmarks.results import Table as Shown
from benchmarks.sides.tables import BOT
from workers.bell import CeleryBell
from workers.config import TABLES

BOTS: Final = 6
PER_ROUND: Final = 15
"""Number of tables per round: every four of six bots."""
WARM: Final = 0.1
"""Share of the tables that is played before the clock starts."""
FIRST: Final = 60
"""Number of tables played before anything is measured."""
RINGS: Final = 300
TABLES_OF_LOAD: Final = 96 * len(traffic.SIZES)
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

UPKEEP: Final = "tallies, within result"
STEPS: Final = ("claim", "load", "play", "result", UPKEEP, "next stage", "rating")


def run(rounds: int) -> list[Shown]:
    """Measure throughput and steps on each database and return the tables."""
    tables = PER_ROUND * rounds
    alone = {processes: bare(processes, tables) for processes in PROCESSES}
    rates: dict[str, dict[int, float]] = {}
    steps: dict[str, dict[str, list[float]]] = {}
    loads: dict[str, dict[int, dict[str, float]]] = {}
    rings: dict[str, float] = {}
    used: dict[str, dict[str, float]] = {}
    with databases() as opened:
        for name, arena in opened.items():
            steps[name] = time_steps(arena, max(2, tables // 4))
            loads[name] = load_database(arena, TABLES_OF_LOAD)
            rates[name] = {}
            for processes in alone:
                with running_parts(arena.settings, processes) as settings:
                    rate(settings, FIRST, SHORT)  # opens the cages
                    before = spending.spent(arena)
                    rates[name][processes] = rate(settings, tables, SHORT)
                    if processes == USUAL:
                        after = spending.spent(arena)
                        used[name] = {part: (after[part] - before[part]) / whole_rounds(tables) for part in after}
                    rings.setdefault(name, doorbells(settings))
    return [
        throughput(tables, {processes: each.rate for processes, each in alone.items()}, rates),
        spending.table(alone[USUAL].cpu, used, USUAL), costs(steps, rings), traffic.shown(loads),
    ]  # fmt: skip


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
            session.add(User(id=1, name="organiser", name_key="organiser", password=None, is_admin=True))
            session.flush()
            for number in range(1, BOTS + 1):
                session.add(Bot(id=number, owner_id=1, name=f"bot-{number}", name_key=f"bot-{number}"))
                session.flush()
                version = new_version(number, 1, BOT.read_bytes())
                version.id, version.state = number, "valid"
                session.add(version)
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


def doorbells(settings: Settings) -> float:
    """Return the seconds from ringing a doorbell until a worker has found nothing to do."""
    bell = CeleryBell(settings)
    with redis.Redis.from_url(str(settings.broker_url).replace("redis+socket:", "unix:")) as client:
        began = time.perf_counter()
        bell([Doorbell(PLAY, 0)] * RINGS)
        wait(lambda: not client.llen(TABLES))
        return (time.perf_counter() - began) / RINGS


def time_steps(arena: Arena, tables: int) -> dict[str, list[float]]:
    """Return the seconds of each step of a table, by step, played in this process; the first table is a warm-up."""
    taken: dict[str, list[float]] = defaultdict(list)

    def timed(step: str, do: Callable[..., Any], *given: Any, **named: Any) -> Any:
        began = time.perf_counter()
        done = do(*given, **named)
        taken[step].append(time.perf_counter() - began)
        return done

    cup = tournament(arena, tables, SHORT)
    with arena.reading() as session:
        here = select(Table.id).where(Table.tournament_id == cup).order_by(Table.number)
        ids = session.scalars(here.limit(tables)).all()
    settings = arena.settings
    with Cage(settings.sandbox_minimum, limits=limits_of(settings)) as cage:
        for table_id in ids:
            claim = timed("claim", claims.claim, arena, table_id, "benchmark")
            work = timed("load", partial(_load, arena), table_id)
            result = timed("play", play_work, work, cage)
            timed("result", claims.submit, arena, claim, result)
            with arena.transaction() as session:
                tallies.remove(session, table_id)
                timed(UPKEEP, tallies.add, session, table_id)
            timed("next stage", stages.advance, arena, cup)
            timed("rating", fold, arena, DEFAULT_VARIANT, cup)
    return {step: times[1:] for step, times in taken.items()}


def load_database(arena: Arena, tables: int) -> dict[int, dict[str, float]]:
    """Return the load of a table on the database, by the number of tables in a batch."""
    cup = tournament(arena, tables, SHORT)
    with arena.reading() as session:
        ids = session.scalars(select(Table.id).where(Table.tournament_id == cup).order_by(Table.number)).all()
    settings = arena.settings
    with Cage(settings.sandbox_minimum, limits=limits_of(settings)) as cage:
        return traffic.traffic(arena, ids[:tables], cage)


def _load(arena: Arena, table_id: int) -> Work:
    with arena.reading() as session:
        return play.load(session, table_id)


def throughput(tables: int, alone: dict[int, float], rates: dict[str, dict[int, float]]) -> Shown:
    """Return a table with a row per number of processes, and one for the gain of the second process."""
    notes = (
        f"Tables of one match of four deals of Suitability for four, {tables} of them, trivial bots.\n"
        f"Celery, Valkey, beat and database run on the same cores. {cpu()}."
    )
    rows = [
        (
            f"{processes} worker process{'es' * (processes > 1)}", f"{digits(without)} tables/s",
            *(cell for by in rates.values() for cell in _beside(by[processes] / without, KEPT, by[processes])),
        )
        for processes, without in alone.items()
    ]  # fmt: skip
    twice = (f"{digits(alone[2] / alone[1])}×", *(c for by in rates.values() for c in _beside(by[2] / by[1], TWICE)))
    head = ("", "without", *(cell for name in rates for cell in (name, "ratio", "target", "reached")))
    return Shown(
        "Queue, database and ratings beside the cage alone", notes, head, [*rows, ("two relative to one", *twice)]
    )


def _beside(ratio: float, goal: float, rate: float | None = None) -> tuple[str, ...]:
    shown = f"{digits(rate)} tables/s" if rate else NOTHING
    return shown, f"{digits(ratio)}×", f"≥ {goal:g}×", "yes" if ratio >= goal else "no"


def costs(steps: dict[str, dict[str, list[float]]], rings: dict[str, float]) -> Shown:
    """Return a table with a row per step."""
    notes = (
        "Real time of each step of a table, in one process. A doorbell: from publishing until a worker has found\n"
        "nothing to do."
    )
    rows = [(step, *(_step(by[step], _table(by)) for by in steps.values())) for step in STEPS]
    bells = ("doorbell", *(durations(seconds, seconds, seconds).split(" (")[0] for seconds in rings.values()))
    return Shown("Cost of a table", notes, ("", *steps), [bells, *rows])


def _step(times: Sequence[float], table: float) -> str:
    return f"{durations(*quartiles(times))}, {_median(times) / table:.0%}"


def _table(steps: dict[str, list[float]]) -> float:
    """Return the seconds of all steps together."""
    return sum(_median(times) for step, times in steps.items() if step != UPKEEP)


def _median(times: Sequence[float]) -> float:
    return quartiles(times)[1]
