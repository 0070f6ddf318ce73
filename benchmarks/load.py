"""An arena under load: a filled database, the arena and a bare application that serve, and readers of both."""

import gzip
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import update

from arena.db.models import Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.tournaments import actions
from benchmarks import memory
from benchmarks.engine import cpu
from benchmarks.plausible import VARIANT, Size, surround, write
from benchmarks.results import NOTHING, Table, at_least, digits, in_rounds, reached
from benchmarks.sides.caged import cpu_seconds, family
from benchmarks.sides.harness import percentile
from benchmarks.sides.readers import Found, Task
from bots import HOUSE

MATCHES: Final = int(os.environ.get("BENCH_MATCHES", "1_000_000"))
BOTS: Final = 1000
FIELD: Final = 200
"""Number of bots in the live tournament."""
READERS: Final = 20
TURN: Final = 3.0
"""Seconds for which readers read before another's turn."""
SHARE: Final = 0.5
"""Target of the requests per second of answers that are ready, relative to those of the bare application."""
PAUSE: Final = 1.0
"""Seconds between an answer and the next request of a reader whose waiting is measured."""
SPELL: Final = 20.0
"""Seconds for which they read, for each round."""
WAIT: Final = 0.1
"""Target of the 95th percentile of the time to answer, in seconds."""
LIVE: Final = 11
"""ID of the live tournament."""


class Load(NamedTuple):
    """Findings of the readers, and the CPU seconds that the server used meanwhile."""

    found: Found
    cpu: float

    @property
    def requests(self) -> int:
        """Number of responses."""
        return sum(self.found.statuses.values())

    @property
    def rate(self) -> float:
        """Number of responses per second."""
        return self.requests / self.found.seconds

    @property
    def cost(self) -> float:
        """CPU seconds of the server per response."""
        return self.cpu / self.requests

    @property
    def cores(self) -> float:
        """Number of cores that the server kept busy."""
        return self.cpu / self.found.seconds


class Server(NamedTuple):
    """A web server."""

    port: int
    pid: int
    """Process whose children and itself serve."""

    @property
    def url(self) -> str:
        """Address without a path."""
        return f"http://127.0.0.1:{self.port}"

    def load(
        self, readers: int, seconds: float, paths: Sequence[str], pause: float = 0.0,
        headers: Mapping[str, str] | None = None,
    ) -> Load:  # fmt: skip
        """Let readers read."""
        task = Task(self.port, readers, seconds, list(paths), pause, dict(headers or {}))
        before = self._cpu_seconds()
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.sides.readers"],
            input=msgspec.json.encode(task),
            stdout=subprocess.PIPE,
            check=True,
        )
        return Load(msgspec.json.decode(done.stdout, type=Found), self._cpu_seconds() - before)

    def _cpu_seconds(self) -> float:
        """Return the CPU time of its processes and of their finished children, in seconds."""
        return sum(map(cpu_seconds, family(self.pid)))

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> tuple[str, int]:
        """Return a page as text, and the bytes of its response with its headers."""
        sent = {"Accept-Encoding": "gzip", **(headers or {})}
        request = urllib.request.Request(f"{self.url}{path}", headers=sent)  # noqa: S310
        with urllib.request.urlopen(request, timeout=300) as response:  # noqa: S310
            body = response.read()
            size = len(body) + len(str(response.headers))
            return (gzip.decompress(body) if response.headers["Content-Encoding"] == "gzip" else body).decode(), size


@contextmanager
def serving(home: Path) -> Iterator[tuple[Server, Server]]:
    """Run the arena of a home and the bare application under the same server, without the API's limit of requests."""
    port = free_port()
    os.environ["ARENA_PORT"] = str(port)
    os.environ["ARENA_API_REQUESTS"] = str(10**6)
    with memory.started(home) as (_, names), hello(home) as bare:
        yield Server(port, next(pid for pid, name in names.items() if name == "web")), bare


def populate(arena: Arena, size: Size) -> None:
    """Fill an empty database, and start a tournament of bots that can play."""
    write(arena, size)
    surround(arena, size)
    source = HOUSE["random"].read_bytes()
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.id <= FIELD).values(source=source, size=len(source)))
    chosen = tuple(range(1, min(FIELD, size.bots) + 1))
    plan = Plan("Live", VARIANT, format="balanced", shape={"meetings": 3}, entry_rule="chosen", chosen=chosen)
    actions.create(arena, Account(1, "organiser", True), plan, True)


@contextmanager
def hello(home: Path) -> Iterator[Server]:
    """Serve the bare application with the server of the arena."""
    port = free_port()
    environ = {**os.environ, "ARENA_HOME": str(home), "ARENA_PORT": str(port)}
    command = [sys.executable, "-m", "benchmarks.sides.hello"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait(port)
            yield Server(port, process.pid)
        finally:
            process.terminate()


def beside(title: str, web: Server, bare: Server, paths: Mapping[str, str], rounds: int) -> Table:
    """Compare answers that are ready, by their titles, with those of the bare application, in turns."""
    sides = [(bare, "/"), *((web, path) for path in paths.values())]
    taken = in_rounds(rounds, lambda _: [server.load(READERS, TURN, [path]) for server, path in sides])
    theirs, *loads = zip(*taken, strict=True)
    rows = [("bare Flask", *_medians(theirs), NOTHING, NOTHING, NOTHING)]
    for name, own in zip(paths, loads, strict=True):
        share = median(a.rate / b.rate for a, b in zip(own, theirs, strict=True))
        rows.append((name, *_medians(own), *at_least(share, SHARE)))
    notes = f"{READERS} readers in turns of {TURN:g} s, two workers playing; medians of {rounds} rounds. {cpu()}."
    head = ("", "requests", "CPU per request", "ratio", "target", "reached")
    return Table(title, notes, head, rows)


def waits(
    title: str, web: Server, paths: Mapping[str, str], seconds: float, headers: Mapping[str, str] | None = None
) -> Table:
    """Measure how long each answer takes, by its title, while all are read."""
    load = web.load(READERS, seconds, list(paths.values()), PAUSE, headers)
    rows = []
    for name, path in paths.items():
        found = load.found.waits.get(path, [float("inf")])  # no answer in all the time
        late = percentile(found, 0.95)
        shown = (f"{1000 * median(found):.1f} ms", f"{1000 * late:.1f} ms")
        rows.append((name, *shown, f"≤ {1000 * WAIT:g} ms", reached(late <= WAIT)))
    statuses = ", ".join(f"{count:,} × {status}" for status, count in sorted(load.found.statuses.items()))
    notes = (
        f"{READERS} readers, each of whom reads all in random orders and pauses {PAUSE:g} s after each answer; two "
        f"workers playing. {statuses} in {load.found.seconds:.0f} s; {digits(1e6 * load.cost)} µs of CPU each."
    )
    return Table(title, notes, ("", "median", "95th percentile", "target", "reached"), rows)


def _medians(loads: Sequence[Load]) -> tuple[str, str]:
    rate, cost = median(load.rate for load in loads), median(load.cost for load in loads)
    return f"{digits(rate)}/s", f"{digits(1e6 * cost)} µs"


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _wait(port: int) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError("the bare application did not come up")
