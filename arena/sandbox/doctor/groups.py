"""Control groups: which there are, where this process is in them, and which controllers it may use. Each is tried."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.cgroups import own_folders

LIMITS: Final = {
    "memory": ("memory.max", "memory.limit_in_bytes"),
    "pids": ("pids.max", "pids.max"),
    "cpu": ("cpu.max", "cpu.shares"),
}
"""By controller: the file of a limit in version 2, and in version 1."""


@dataclass(frozen=True)
class Groups:
    """The control groups of this machine."""

    version: str
    """``v2``, ``v1``, ``hybrid`` (both), or ``none``."""
    folders: dict[str, str]
    """Where this process is, by controller; version 2 has one for all, called ``unified``."""
    controllers: dict[str, str]
    """Why this process may not limit memory, pids or cpu; empty where it may."""


def look() -> Groups:
    """Where this process is; in each place a group is made and removed. Nothing is moved."""
    with suppress(OSError, ValueError):
        second, first = own_folders("cgroup2").get(""), own_folders("cgroup")
        controllers = {name: _why_not(name, second, first.get(name)) for name in LIMITS}
        unified = {"unified": str(second)} if second else {}
        own = {name: str(first[name]) for name in LIMITS if name in first}
        version = "hybrid" if own and second else "v1" if own else "v2" if second else "none"
        return Groups(version, unified | own, controllers)
    return Groups("none", {}, dict.fromkeys(LIMITS, "this machine does not tell its control groups"))


def _why_not(controller: str, second: Path | None, first: Path | None) -> str:
    """Why a group below or beside ours cannot limit this; empty where it can."""
    places: list[tuple[Path, int]] = [(first, 1)] if first else []
    if second:
        places += [(second, 0), (second.parent, 0)]
    return _best(_tried(controller, folder, kind) for folder, kind in places)


def _best(reasons: Iterable[str]) -> str:
    """Nothing where one place will do, else why the first of them will not."""
    found = list(reasons)
    return "" if "" in found else found[0] if found else "no such controller is mounted"


def _tried(controller: str, parent: Path, kind: int) -> str:
    given = parent / "cgroup.subtree_control"
    told = False
    try:
        if kind == 0 and controller not in given.read_text().split():
            given.write_text(f"+{controller}")
            told = True
        return _made(parent / f"arena-doctor-{os.getpid()}", LIMITS[controller][kind])
    except OSError as error:
        return f"{error.strerror} ({error.filename or given})"
    finally:
        if told:
            with suppress(OSError):
                given.write_text(f"-{controller}")


def _made(group: Path, limit: str) -> str:
    group.mkdir()
    try:
        file = group / limit
        file.write_text(file.read_text())
    finally:
        group.rmdir()
    return ""
