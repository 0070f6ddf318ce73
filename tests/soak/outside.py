"""`python -m tests.soak.outside`: programs outside play rated tables while the arena and the network are harmed."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from sqlalchemy import func, select

from arena.db.models import LiveMove, LiveTable, Match, MatchSeat, Table, Tournament
from arena.services.base.context import Arena, open_arena
from arena.services.base.states import TableState
from arena.services.integrity import fsck
from arena.services.people import keys
from arena.services.people.keys import Scope
from arena.settings import Settings
from tests import factories
from tests.cli.processes import descendants
from tests.cli.test_up import environ_of, free_port
from tests.docs.test_outside import THERE, built
from tests.remote.standin import at_random, serving
from tests.workers.services import wait_for

PARTS: Final = ("arena-web", "arena-live", "arena-workers", "valkey-server")
"""Names of the processes of an arena's parts."""
BOT: Final = "def act(view):\n    return view.legal[-1]\n"
TABLES_AT_ONCE: Final = 4
VARIANTS: Final = ("suitability-2", "suitability-3", "suits-steere-3", "suits-barnhart-4", "suit-yourself")
"""What is played. In Separate Suits, bots that play the last action cancel tricks for thousands of moves."""
BAD_ANSWERS: Final = 0.02
"""Share of the model's answers that are bad."""
MUTE: Final = 5.0
"""Seconds for which the network carries nothing."""
QUIET: Final = 300.0
"""Seconds within which some table ends, and the tables at play at the end are over."""

RATED: Final = select(Table.id).join(Table.tournament).where(Tournament.outside)
DONE: Final = RATED.where(Table.state == TableState.DONE)
SEATS: Final = select(MatchSeat.match_id).join(Match).where(Match.table_id.in_(RATED))
MOVES: Final = select(LiveMove.table_id).join(LiveTable).where(LiveTable.table_id.in_(RATED))
COUNTS: Final = {"tables done": DONE, "moves of programs": MOVES.where(LiveMove.spent.is_not(None))}
WRONG: Final = {
    "tables given up": RATED.where(Table.state == TableState.INFRA_FAILED),
    "moves made for a program": MOVES.where(LiveMove.late),
    "seats at fault": SEATS.where(MatchSeat.fault.is_not(None)),
}


class Network:
    """A network between the clients and an arena on `port`, in a thread of its own."""

    def __init__(self, port: int) -> None:
        self.port = free_port()
        self._target, self._muted = port, 0.0
        self._writers = set[asyncio.StreamWriter]()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._run, daemon=True).start()

    def cut(self) -> None:
        """Close all connections."""
        self._loop.call_soon_threadsafe(self._close_all)

    def mute(self) -> None:
        """Carry nothing for some seconds; connections stay open."""
        self._muted = time.monotonic() + MUTE

    def _close_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    def _run(self) -> None:
        self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", self.port))
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            up, down = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, down}
        await asyncio.gather(self._carry(reader, down), self._carry(up, writer))
        self._writers -= {writer, down}

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                while (left := self._muted - time.monotonic()) > 0:
                    await asyncio.sleep(left)
                writer.write(data)
                await writer.drain()
        with suppress(OSError):
            writer.close()


class Running:
    """An arena of `arena up`, whose output is in a file."""

    def __init__(self, home: Path, port: int) -> None:
        self._log = home.with_name("up.log")
        environ = environ_of(home, port, ARENA_WORKERS="2", ARENA_LIVE_TABLES="16")
        with self._log.open("wb") as log:
            command = [sys.executable, "-m", "arena", "up"]
            self.process = subprocess.Popen(command, env=environ, stdout=log, stderr=subprocess.STDOUT)
        while "Open http" not in self.output():
            assert self.process.poll() is None, self.output()
            time.sleep(0.5)

    def output(self) -> str:
        """Return what it has printed."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def kill(self, name: str) -> None:
        """Kill a part with all its processes; the supervisor starts it again."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for pid in [int(pid) for pid in children if Path(f"/proc/{pid}/comm").read_text().strip() == name]:
            for one in (*descendants(pid), pid):
                with suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)

    def end(self) -> None:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


@click.command()
@click.option("--tables", default=200, show_default=True, type=click.IntRange(1), help="Rated tables to play.")
@click.option("--faults", default=50, show_default=True, type=click.IntRange(0), help="Faults in all.")
@click.option("--seed", default=1, show_default=True, help="Seed of the choice of faults.")
def main(tables: int, faults: int, seed: int) -> None:
    """Play rated tables under faults, and exit with 1 if anything is wrong at the end."""
    rng = random.Random(seed)
    with playing() as (running, network, arena, clients):
        harms: list[tuple[str, Callable[[], None]]] = [
            *((f"kill {name}", partial(running.kill, name)) for name in PARTS),
            ("cut the network", network.cut), ("mute the network", network.mute),
        ]  # fmt: skip
        started = time.monotonic()
        for number in range(1, faults + 1):
            wait_for(partial(reached, arena, number * tables // faults), QUIET)
            name, act = rng.choice(harms)
            act()
            click.echo(f"{time.monotonic() - started:5.0f} s, {count(arena, DONE)} tables: {name}")
        wrong = [*end(arena, clients), *map(str, fsck.check(arena))]
        for line, rows in COUNTS.items():
            click.echo(f"{count(arena, rows)} {line}")
        wrong += [f"{count(arena, rows)} {line}" for line, rows in WRONG.items() if count(arena, rows)]
    for line in wrong:
        click.echo(line)
    click.echo("wrong: " + (str(len(wrong)) if wrong else "nothing"))
    raise SystemExit(bool(wrong))


@contextmanager
def playing() -> Iterator[tuple[Running, Network, Arena, Sequence[subprocess.Popen[bytes]]]]:
    """Yield an arena at which a Python bot, a program and a language model are ready, each behind the network."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-soak-")))
        port, home = free_port(), folder / "home"
        running = Running(home, port)
        stack.callback(running.end)
        arena = open_arena(Settings.from_env({"ARENA_HOME": str(home)}))
        stack.callback(arena.close)
        network = Network(port)
        model = stack.enter_context(serving(at_random(1, BAD_ANSWERS)))
        (folder / "bot.py").write_text(BOT)
        commands = {
            "comet": ["connect", str(folder / "bot.py")],
            "engine": ["connect", str(built(folder, THERE[0]))],
            "model": ["models", "stand-in", "--base", model.base, "--timeout", "1"],
        }
        clients = [client(arena, network, folder, name, command) for name, command in commands.items()]
        for one in clients:
            stack.callback(one.kill)
        yield running, network, arena, clients


def client(arena: Arena, network: Network, folder: Path, name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a command that plays rated tables as the bot `name` of a new member. Its output is in a file."""
    owner = factories.user(arena, f"owner-of-{name}")
    token = keys.make(arena, owner, "soak", [Scope.READ, Scope.UPLOAD])
    environ = {**os.environ, "ARENA_URL": f"http://127.0.0.1:{network.port}", "ARENA_TOKEN": token}
    whole = [sys.executable, "-m", "arena", *command, "--as", name, "--tables", str(TABLES_AT_ONCE)]
    whole += [word for variant in VARIANTS for word in ("--variant", variant)]
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(whole, env=environ, stdout=log, stderr=subprocess.STDOUT)


def end(arena: Arena, clients: Sequence[subprocess.Popen[bytes]]) -> Iterator[str]:
    """End the clients as Ctrl-C does, and yield a sentence for each that does not end well."""
    for client in clients:
        client.send_signal(signal.SIGINT)
    for client in clients:
        try:
            status = client.wait(QUIET)
        except subprocess.TimeoutExpired:
            yield f"{client.args!r} did not end in {QUIET:g} s"
        else:
            if status:
                yield f"{client.args!r} ended with {status}"


def reached(arena: Arena, tables: int) -> bool:
    """Return whether this number of tables is done."""
    return count(arena, DONE) >= tables


def count(arena: Arena, rows: Any) -> int:
    """Return the number of rows of a query."""
    with arena.reading() as session:
        return session.scalars(select(func.count()).select_from(rows.subquery())).one()


if __name__ == "__main__":
    main()
