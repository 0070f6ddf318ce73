"""The API under load: 20 programs that read, on a database with a million matches."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks import memory
from benchmarks.engine import cpu
from benchmarks.plausible import VARIANT, Size
from benchmarks.results import NOTHING, Table, digits, show_progress
from benchmarks.sides.harness import percentile
from benchmarks.web import (
    BOTS,
    LIVE,
    MATCHES,
    READERS,
    SHARE,
    TURN,
    WAIT,
    Load,
    Server,
    fill,
    free_port,
    hello,
)
from web.api import PREFIX

PATHS: Final = {
    "arena": "/",
    "now": "/now",
    "games": "/games",
    "leaderboard": f"/leaderboards/{VARIANT}",
    "ladder": f"/ladders/{VARIANT}",
    "crosstable": f"/crosstables/{VARIANT}",
    "head to head": f"/crosstables/{VARIANT}/1/2",
    "statistics": f"/statistics/{VARIANT}",
    "bots": "/bots",
    "bot": "/bots/5",
    "history of a bot": f"/bots/5/history?variant={VARIANT}",
    "version": "/versions/5",
    "tournaments": "/tournaments",
    "live tournament": f"/tournaments/{LIVE}",
    "its standings": f"/tournaments/{LIVE}/standings",
    "its tables": f"/tournaments/{LIVE}/tables",
    "its matches": f"/tournaments/{LIVE}/matches",
    "table": "/tables/40",
    "matches": "/matches",
    "matches of a variant": f"/matches?variant={VARIANT}",
    "matches of a bot": "/matches?bot=5",
    "match": "/matches/50",
    "record": "/matches/50/record",
    "schedules": "/schedules",
}
"""Paths below the prefix of the API, by title."""
CACHED: Final = ("arena", "leaderboard", "tournaments", "match")
"""Titles that are compared with a bare application: their answers are ready."""


def run(rounds: int, size: Size | None = None) -> list[Table]:
    """Fill a database, start an arena on it, and measure its API."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        home = Path(folder) / "home"
        fill(home, size or Size(MATCHES, BOTS))
        return measure(home, rounds)


def measure(home: Path, rounds: int) -> list[Table]:
    """Start an arena on a filled database, and measure its API."""
    port = free_port()
    os.environ["ARENA_PORT"] = str(port)
    with memory.started(home) as (_, names), hello(home) as bare:
        web = Server(port, next(pid for pid, name in names.items() if name == "web"))
        for path in PATHS.values():
            web.get(f"{PREFIX}{path}")
        return [beside(web, bare, rounds), waits(web, rounds)]


def beside(web: Server, bare: Server, rounds: int) -> Table:
    """Compare answers that are ready with those of a bare application, in turns."""
    taken: list[list[Load]] = []
    for number in range(rounds):
        show_progress(f"round {number + 1} of {rounds}")
        ours = [web.load(READERS, TURN, [f"{PREFIX}{PATHS[title]}"]) for title in CACHED]
        taken.append([bare.load(READERS, TURN, ["/"]), *ours])
    show_progress("")
    theirs, *loads = zip(*taken, strict=True)
    rows = [("bare Flask", _rate(theirs), NOTHING, NOTHING, NOTHING)]
    for title, own in zip(CACHED, loads, strict=True):
        share = median(_per_second(a) / _per_second(b) for a, b in zip(own, theirs, strict=True))
        rows.append((title, _rate(own), f"{share:.2f}×", f"≥ {SHARE:g}×", "yes" if share >= SHARE else "no"))
    notes = f"{READERS} programs in turns of {TURN:g} s, two workers playing; medians of {rounds} rounds. {cpu()}."
    return Table("Ready answers beside a bare application", notes, ("", "requests", "ratio", "target", "reached"), rows)


def waits(web: Server, rounds: int) -> Table:
    """Measure how long each answer takes while all are read."""
    load = web.load(READERS, TURN * rounds, [f"{PREFIX}{path}" for path in PATHS.values()])
    rows = []
    for title, path in PATHS.items():
        found = load.found.waits.get(f"{PREFIX}{path}", [float("inf")])  # no answer in all the time
        late = percentile(found, 0.95)
        shown = (f"{1000 * median(found):.1f} ms", f"{1000 * late:.1f} ms")
        rows.append((title, *shown, f"≤ {1000 * WAIT:g} ms", "yes" if late <= WAIT else "no"))
    notes = f"{READERS} programs, each of which reads all in random orders without a pause; {load.requests:,} requests."
    return Table("Time to answer", notes, ("", "median", "95th percentile", "target", "reached"), rows)


def _rate(loads: Sequence[Load]) -> str:
    return f"{digits(median(map(_per_second, loads)))}/s"


def _per_second(load: Load) -> float:
    return load.requests / load.found.seconds
