"""Pages under load: 20 readers and two workers who play, on a database with a million matches."""

import gzip
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import update

from arena.cli.processes import parents
from arena.db.migrate import upgrade
from arena.db.models import Version
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.formats.plans import Plan
from arena.services.tournaments import actions
from arena.settings import Settings
from benchmarks import memory
from benchmarks.databases import MINIMUM
from benchmarks.engine import cpu
from benchmarks.plausible import VARIANT, Size, write
from benchmarks.results import NOTHING, Table, digits, show_progress
from benchmarks.sides.harness import percentile
from benchmarks.sides.readers import Found, Task

MATCHES: Final = int(os.environ.get("BENCH_MATCHES", "1_000_000"))
BOTS: Final = 1000
FIELD: Final = 200
"""Number of bots in the live tournament."""
READERS: Final = 20
VIEWERS: Final = 30
TURN: Final = 3.0
"""Seconds for which readers read before the other application's turn."""
WATCHED: Final = 30.0
"""Seconds for which viewers watch."""

SHARE: Final = 0.5
"""Target of the leaderboard's requests per second, relative to those of the bare application."""
WAIT: Final = 0.1
"""Target of the 95th percentile of the time to answer, in seconds."""
COLD: Final = 80_000
"""Target of the bytes of a page with everything that it loads."""
CORE: Final = 0.05
"""Target of the cores that the viewers cost."""
TRAFFIC: Final = 50_000
"""Target of the bytes per second that they receive."""

LIVE: Final = 11
"""ID of the live tournament."""
PAGES: Final = {
    "front page": "/",
    "its live part": "/now",
    "leaderboard": "/leaderboard/",
    "ladder": "/ladders/",
    "crosstable": "/crosstables/",
    "crosstable of another bot": "/crosstables/?bot=7",
    "two bots head to head": f"/crosstables/{VARIANT}/1/2",
    "statistics": "/statistics/",
    "comparisons": "/comparisons/",
    "tournaments": "/tournaments/",
    "live tournament": f"/tournaments/{LIVE}",
    "its changing part": f"/tournaments/{LIVE}/live",
    "its tables": f"/tournaments/{LIVE}/tables",
    "its crosstable": f"/tournaments/{LIVE}/crosstable",
    "its statistics": f"/tournaments/{LIVE}/statistics",
    "finished tournament": "/tournaments/3",
    "bots": "/bots",
    "a bot": "/bots/5",
    "statistics of a bot": f"/versions/5/statistics/{VARIANT}",
    "table": "/tables/40",
    "match": "/matches/50",
    "its replay": "/matches/50/replay.json",
    "schedules": "/schedules/",
    "rules": "/games/suitability",
    "guide": "/help",
}
"""Paths by title."""
PARTS: Final = ("its live part", "its changing part", "its replay")
"""Titles that are no pages of their own."""

LOADED: Final = re.compile(
    r"""(?:src|href|data-[a-z]+)="(/(?:static/|cards/|matches/\d+/replay)[^"#]*\.(?:css|js|json|svg)[^"#]*)"""
)
IMPORTED: Final = re.compile(r'from "\./([\w-]+\.js)"')
INTERVAL: Final = re.compile(r'hx-trigger="every (\d+)s"')


class Load(NamedTuple):
    """Findings of the readers, and the CPU seconds that the server used meanwhile."""

    found: Found
    cpu: float

    @property
    def requests(self) -> int:
        """Number of responses."""
        return sum(self.found.statuses.values())


class Server(NamedTuple):
    """A web server."""

    port: int
    pid: int
    """Process whose children and itself serve."""

    def load(self, readers: int, seconds: float, paths: Sequence[str], pause: float = 0.0) -> Load:
        """Let readers read."""
        task = Task(self.port, readers, seconds, list(paths), pause)
        before = cpu_seconds(self.pid)
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.sides.readers"],
            input=msgspec.json.encode(task),
            stdout=subprocess.PIPE,
            check=True,
        )
        return Load(msgspec.json.decode(done.stdout, type=Found), cpu_seconds(self.pid) - before)

    def get(self, path: str) -> tuple[str, int]:
        """Return a page as text, and the bytes of its response with its headers."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310
            body = response.read()
            size = len(body) + len(str(response.headers))
            return (gzip.decompress(body) if response.headers["Content-Encoding"] == "gzip" else body).decode(), size


def run(rounds: int, size: Size | None = None) -> list[Table]:
    """Fill a database, start an arena on it, and measure its pages."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        home = Path(folder) / "home"
        fill(home, size or Size(MATCHES, BOTS))
        return measure(home, rounds)


def measure(home: Path, rounds: int) -> list[Table]:
    """Start an arena on a filled database, and measure its pages."""
    port = free_port()
    os.environ["ARENA_PORT"] = str(port)
    with memory.started(home) as (_, names), hello(home) as bare:
        web = Server(port, next(pid for pid, name in names.items() if name == "web"))
        for path in PAGES.values():
            web.get(path)
        return [beside(web, bare, rounds), waits(web, rounds), sizes(web), viewers(web)]


def fill(home: Path, size: Size) -> None:
    """Write a database with a live tournament of bots that can play."""
    settings = Settings.from_env({"ARENA_HOME": str(home), "ARENA_SANDBOX_MINIMUM": MINIMUM})
    upgrade(settings.database_url)
    arena = open_arena(settings)
    write(arena, size)
    start_live(arena)
    arena.close()


def start_live(arena: Arena) -> None:
    """Give bots a source, and start a tournament of them."""
    source = (Path(__file__).parents[1] / "bots" / "random_bot.py").read_bytes()
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.id <= FIELD).values(source=source, size=len(source)))
    chosen = tuple(range(1, FIELD + 1))
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


def beside(web: Server, bare: Server, rounds: int) -> Table:
    """Compare the leaderboard with the bare application, in turns."""
    taken: list[tuple[Load, Load]] = []
    for number in range(rounds):
        show_progress(f"round {number + 1} of {rounds}")
        taken.append((bare.load(READERS, TURN, ["/"]), web.load(READERS, TURN, [PAGES["leaderboard"]])))
    show_progress("")
    share = median(_rate(ours) / _rate(theirs) for theirs, ours in taken)
    rows = [
        (title, f"{digits(median(map(_rate, loads)))}/s", f"{digits(1e6 * median(map(_cost, loads)))} µs", *more)
        for title, loads, more in (
            ("bare Flask", [theirs for theirs, _ in taken], (NOTHING, NOTHING, NOTHING)),
            ("leaderboard", [ours for _, ours in taken], (f"{share:.2f}×", f"≥ {SHARE:g}×", _reached(share >= SHARE))),
        )
    ]
    notes = f"{READERS} readers in turns of {TURN:g} s, two workers playing; medians of {rounds} rounds. {cpu()}."
    head = ("", "requests", "CPU per request", "ratio", "target", "reached")
    return Table("The leaderboard beside a bare application", notes, head, rows)


def waits(web: Server, rounds: int) -> Table:
    """Measure how long each page takes while all are read."""
    load = web.load(READERS, TURN * rounds, list(PAGES.values()))
    rows = []
    for title, path in PAGES.items():
        found = load.found.waits.get(path, [float("inf")])  # no answer in all the time
        late = percentile(found, 0.95)
        shown = (f"{1000 * median(found):.1f} ms", f"{1000 * late:.1f} ms")
        rows.append((title, *shown, f"≤ {1000 * WAIT:g} ms", _reached(late <= WAIT)))
    notes = (
        f"{READERS} readers, each of whom reads all pages in random orders without a pause; {load.requests:,} "
        f"requests, {digits(1e6 * _cost(load))} µs of CPU each."
    )
    return Table("Time to answer", notes, ("", "median", "95th percentile", "target", "reached"), rows)


def sizes(web: Server) -> Table:
    """Measure what a browser that knows nothing loads for each page."""
    rows = []
    for title, path in PAGES.items():
        if title not in PARTS:
            page, own = web.get(path)
            rest = sum(web.get(each)[1] for each in loaded(web, page))
            total = own + rest
            rows.append((title, f"{own:,}", f"{rest:,}", f"{total:,}", f"≤ {COLD:,}", _reached(total <= COLD)))
    notes = "With headers, and with everything that it loads at first; compressed by gzip."
    return Table("Bytes of a page", notes, ("", "page", "the rest", "sum", "target", "reached"), rows)


def loaded(web: Server, page: str) -> set[str]:
    """Return the paths of everything that a page loads."""
    found: set[str] = set()
    waiting = LOADED.findall(page)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            if ".js" in path and not path.endswith(".json"):
                waiting += [f"{path.rpartition('/')[0]}/{name}" for name in IMPORTED.findall(web.get(path)[0])]
    return found


def viewers(web: Server) -> Table:
    """Measure what viewers of the live tournament cost."""
    page, _ = web.get(PAGES["live tournament"])
    found = INTERVAL.search(page)
    pause = float(found[1]) if found else 0.0
    assert pause, "the tournament is over"  # noqa: S101 -- nothing to measure
    load = web.load(VIEWERS, WATCHED, [PAGES["its changing part"]], pause)
    cores, traffic = load.cpu / load.found.seconds, load.found.received / load.found.seconds
    rows = [
        ("cores", f"{cores:.3f}", f"≤ {CORE:g}", _reached(cores <= CORE)),
        ("bytes per second", f"{traffic:,.0f}", f"≤ {TRAFFIC:,}", _reached(traffic <= TRAFFIC)),
    ]
    shown = ", ".join(f"{count} × {status}" for status, count in sorted(load.found.statuses.items()))
    notes = (
        f"{VIEWERS} viewers of a tournament of {FIELD} bots, who ask every {pause:g} s: {shown} in "
        f"{load.found.seconds:.0f} s."
    )
    return Table("Viewers of a live tournament", notes, ("", "measured", "target", "reached"), rows)


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and its living descendants."""
    above: Mapping[int, int] = dict(parents())
    mine = {pid}
    while more := {child for child, parent in above.items() if parent in mine} - mine:
        mine |= more
    ticks = sum(sum(map(int, Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:13])) for one in mine)
    return ticks / os.sysconf("SC_CLK_TCK")


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


def _rate(load: Load) -> float:
    return load.requests / load.found.seconds


def _cost(load: Load) -> float:
    return load.cpu / load.requests


def _reached(reached: bool) -> str:
    return "yes" if reached else "no"
