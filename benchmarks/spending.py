"""CPU time of a table, by the processes that spend it, beside that of a cage that only plays."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import text

from arena.cli.processes import parents
from arena.services.base.context import Arena
from benchmarks.results import NOTHING, Table, digits, durations
from benchmarks.sides.caged import cpu_seconds

BOTS, WORKERS, MAIN, CLOCK, BROKER, DATABASE = (
    "bots and what starts them", "worker processes", "their main process", "clock", "broker", "database server",
)  # fmt: skip
PARTS: Final = (BOTS, WORKERS, MAIN, CLOCK, BROKER, DATABASE)
GOAL: Final = 0.9
"""Target for the CPU time of a cage that only plays, as a share of the whole arena's."""
_COMMANDS: Final = {b"inside.zygote": BOTS, b"valkey": BROKER, b"beat": CLOCK, b"worker": MAIN}
"""Part of a process whose command has this text; the first that applies."""


def spent(arena: Arena) -> dict[str, float]:
    """Return the CPU seconds so far of the database's server and of what this process has started, by part."""
    parent, roots = dict(parents()), {os.getpid(): "", **_server(arena)}
    used = dict.fromkeys(PARTS, 0.0)
    for pid in parent:
        with suppress(OSError):
            if part := _part(pid, parent, roots):
                used[part] += cpu_seconds(pid)
    return used


def _server(arena: Arena) -> dict[int, str]:
    """Return the process of the database's server, if it has one."""
    if arena.database.engine.name == "sqlite":
        return {}
    with arena.reading() as session:
        folder = session.scalars(text("SHOW data_directory")).one()
    return {int(Path(folder, "postmaster.pid").read_text().split()[0]): DATABASE}


def _part(pid: int, parent: Mapping[int, int], roots: Mapping[int, str]) -> str:
    """Return the part to which a process belongs; empty if none."""
    *line, root = _line(pid, parent, roots)
    if root not in roots:
        return ""
    return roots[root] or part_of([Path(f"/proc/{each}/cmdline").read_bytes() for each in line])


def _line(pid: int, parent: Mapping[int, int], roots: Mapping[int, str]) -> Iterator[int]:
    """Yield a process and its ancestors up to a root."""
    yield pid
    while pid not in roots and pid in parent:
        pid = parent[pid]
        yield pid


def part_of(commands: Sequence[bytes]) -> str:
    """Return the part of a process, given its command and those of its ancestors; empty if none."""
    named = ((part for words, part in _COMMANDS.items() if words in command) for command in commands)
    parts = [part for each in named if (part := next(each, ""))]
    # A worker's processes have the command of their main process.
    return WORKERS if parts[:2] == [MAIN, MAIN] else parts[0] if parts else ""


def table(alone: float, whole: Mapping[str, Mapping[str, float]], processes: int) -> Table:
    """Return the table of CPU seconds: of a table in the bare cage, and in the arena, by database and part."""
    notes = (
        f"CPU time of a table of one match, with {processes} worker processes. Alone: the cage, with the engine and "
        f"the bots, plays\nthe same kind of table. Target: alone is at least {GOAL:g} of all."
    )
    rows = [(part, *(_cell(used[part]) for used in whole.values())) for part in PARTS]
    sums = [sum(used.values()) for used in whole.values()]
    rows += [
        ("all", *map(_cell, sums)),
        ("alone", *(_cell(alone) for _ in sums)),
        ("alone, as a share of all", *(f"{digits(alone / each)}×" for each in sums)),
    ]
    return Table("CPU time of a table", notes, ("", *whole), rows)


def _cell(each: float) -> str:
    return durations(each, each, each).split(" (")[0] if each else NOTHING
