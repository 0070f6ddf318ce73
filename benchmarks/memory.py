"""Memory of an idle `arena up`, by part."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from arena.cli.processes import parents
from arena.services.base.context import open_arena
from arena.services.tournaments import pages
from arena.settings import Settings
from benchmarks.databases import MINIMUM
from benchmarks.results import Table, in_rounds
from workers.process import IDLE

WORKERS: Final = 2
GOAL: Final = 250
"""Target for the whole arena, in MiB of proportional memory."""
PATIENCE: Final = 600.0
"""Timeout, in seconds, for the first tournaments."""
SETTLED: Final = 60.0
"""Seconds until workers have noticed that they are idle, and have made way for fresh ones, one after the other."""
PARTS: Final = ("supervisor", "broker", "workers", "live", "cages", "beat", "web")
_CAGE: Final = b"inside.zygote"
"""Text in the command of the processes that start bots."""
_LINE: Final = re.compile(r"  (\w+) +ready +pid (\d+)")


class Use(NamedTuple):
    """Memory of processes, in KiB."""

    processes: int
    proportional: int
    """Each page divided by the number of processes that share it."""
    resident: int

    def __add__(self, other: object) -> "Use":
        """Add two parts."""
        assert isinstance(other, Use)  # noqa: S101 -- for the type
        return Use(*(one + two for one, two in zip(self, other, strict=True)))


NOTHING: Final = Use(0, 0, 0)


def run(rounds: int) -> list[Table]:
    """Start an arena in an empty home, let it play its first tournaments, and measure it when it is idle."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder, started(Path(folder) / "home") as (pid, names):
        _wait_idle(Path(folder) / "home")
        time.sleep(IDLE + SETTLED)
        return [table(in_rounds(rounds, lambda _: read(pid, names)))]


@contextmanager
def started(home: Path, **more: str) -> Iterator[tuple[int, Mapping[int, str]]]:
    """Run `arena up` with these variables; yield its process and the names of its parts by process."""
    environ = {
        **os.environ,
        "ARENA_HOME": str(home),
        "ARENA_WORKERS": str(WORKERS),
        "ARENA_PORT": os.environ.get("ARENA_PORT", "8765"),
        "ARENA_SANDBOX_MINIMUM": MINIMUM,
        "ARENA_LADDER_SIGMA": "0",
        **more,
    }
    command = [sys.executable, "-m", "arena", "up"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout  # noqa: S101 -- piped
            yield process.pid, dict(_parts(process.stdout))
        finally:
            process.terminate()
            process.communicate()


def _parts(output: Iterator[str]) -> Iterator[tuple[int, str]]:
    """Yield the process and the name of each part. Raises `RuntimeError` if the arena ends."""
    said = ""
    for line in output:
        said += line
        if found := _LINE.match(line):
            yield int(found[2]), found[1]
        if "Open http" in line:
            return
    raise RuntimeError(f"arena up ended:\n{said}")


def _wait_idle(home: Path) -> None:
    arena = open_arena(Settings.from_env({"ARENA_HOME": str(home)}))
    deadline = time.monotonic() + PATIENCE
    try:
        while {row.state for row in pages.latest(arena)} != {"finished"}:
            if time.monotonic() > deadline:
                raise RuntimeError("the first tournaments did not end in time")
            time.sleep(0.5)
    finally:
        arena.close()


def read(supervisor: int, names: Mapping[int, str]) -> dict[str, Use]:
    """Measure a running arena by part; `names` has the names of the parts by process."""
    parent = dict(parents())
    used = dict.fromkeys(PARTS, NOTHING)
    for pid in parent:
        with suppress(OSError):
            if part := _part_of(pid, supervisor, names, parent):
                used[part] += use(pid)
    return used


def _part_of(pid: int, supervisor: int, names: Mapping[int, str], parent: Mapping[int, int]) -> str:
    """Return the part to which a process belongs; empty if none."""
    if pid == supervisor:
        return "supervisor"
    above = pid
    while above in parent and above not in names:
        above = parent[above]
    return "cages" if above in names and _CAGE in Path(f"/proc/{pid}/cmdline").read_bytes() else names.get(above, "")


def use(pid: int) -> Use:
    """Return the memory of a process. Raises `OSError` if it does not exist."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    sizes = Counter({line.split(":")[0]: int(line.split()[1]) for line in lines})
    return Use(1, sizes["Pss"], sizes["Rss"])


def table(readings: Sequence[Mapping[str, Use]]) -> Table:
    """Return the table of the medians of several readings."""
    rows = {part: _median([reading[part] for reading in readings]) for part in PARTS}
    total = sum(rows.values(), NOTHING)
    rows["total"] = total
    return Table(
        "Memory of an idle arena",
        f"`arena up` with {WORKERS} worker processes after its first tournaments, in MiB; medians of {len(readings)} "
        f"readings. Target: at most {GOAL} MiB of proportional memory in total; "
        f"{'reached' if total.proportional <= GOAL * 1024 else 'not reached'}.",
        ("part", "processes", "proportional", "resident"),
        [
            (part, str(each.processes), *(f"{kib / 1024:.0f}" for kib in each[1:]))
            for part, each in rows.items()
            if each.processes
        ],
    )


def _median(uses: Sequence[Use]) -> Use:
    return Use(*(int(median(column)) for column in zip(*uses, strict=True)))
