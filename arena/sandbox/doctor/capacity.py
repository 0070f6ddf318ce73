"""Memory and processes that workers may need in the worst case, compared with the limits that apply to this process."""

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.cage import group_limits
from arena.sandbox.cgroups import CONTROLLERS, GroupLimits, own_folders
from arena.sandbox.doctor.host import Host, text
from arena.sandbox.limits import MIB, Limits

_ENGINE: Final = GroupLimits(256 * MIB, 16)
"""Upper bound for one worker process without its bots."""
_SUPERVISOR: Final = GroupLimits(256 * MIB, 32)
"""Upper bound for the processes that start and watch the worker processes."""
_LIMIT_FILES: Final = {
    "memory": ("memory.max", "memory.limit_in_bytes"),
    "pids": ("pids.max", "pids.max"),
}
"""Files with a controller's limit in version 2 and in version 1."""
_NO_LIMIT: Final = 1 << 60
"""Version 1 writes the largest number that fits if there is no limit."""


@dataclass(frozen=True)
class ControlGroups:
    """Control groups of this process."""

    version: str
    """``v2``, ``v1``, ``hybrid`` (both), or ``none``."""
    folders: dict[str, str]
    """Folder of this process's group by controller; version 2 has one for all, called ``unified``."""
    limits: dict[str, int | None]
    """Lowest limit of ``memory`` (bytes) and ``pids`` in this process's groups and their parents; None if unlimited."""


def control_groups() -> ControlGroups:
    """Read the control groups of this process and their limits."""
    with suppress(OSError, ValueError):
        second, first = own_folders("cgroup2").get(""), own_folders("cgroup")
        unified = {"unified": str(second)} if second else {}
        own = {name: str(first[name]) for name in CONTROLLERS if name in first}
        version = "hybrid" if own and second else "v1" if own else "v2" if second else "none"
        limits = {name: _lowest(_LIMIT_FILES[name], second, first.get(name)) for name in CONTROLLERS}
        return ControlGroups(version, unified | own, limits)
    return ControlGroups("none", {}, dict.fromkeys(CONTROLLERS))


def _lowest(files: tuple[str, str], second: Path | None, first: Path | None) -> int | None:
    """Return the lowest limit from this process's groups up to the mount points of their hierarchies."""
    places = [(folder, file) for folder, file in zip((second, first), files, strict=True) if folder]
    texts = (text(above / file) for folder, file in places for above in (folder, *folder.parents))
    return min((int(limit) for limit in texts if limit.isdecimal() and int(limit) < _NO_LIMIT), default=None)


def needed(workers: int, limits: Limits) -> GroupLimits:
    """Return the memory and processes that worker processes need if every seat of a full table uses all its limits."""
    bots = group_limits(limits)
    return GroupLimits(
        _SUPERVISOR.memory + workers * (_ENGINE.memory + bots.memory),
        _SUPERVISOR.processes + workers * (_ENGINE.processes + bots.processes),
    )


def notes(workers: int, limits: Limits, host: Host, groups: ControlGroups) -> Iterator[str]:
    """Yield one line for each limit that is too low, with the setting to change."""
    need = needed(workers, limits)
    who = f"{workers} worker process{'es' * (workers > 1)} with full tables of the largest bots"
    machine, group = host.memory_mib * MIB, groups.limits["memory"] or math.inf
    if 0 < machine < need.memory or group < need.memory:
        what = "this machine has" if machine <= group else "this control group allows"
        memory = int(min(machine, group))
        yield (
            f"{who} may need {need.memory // MIB} MiB of memory; {what} {memory // MIB} MiB: "
            f"{'' if machine <= group else 'raise that (WORKER_MEMORY in .env), or '}{_less(workers, limits, memory)}."
        )
    processes = groups.limits["pids"]
    if processes is not None and processes < need.processes:
        yield (
            f"{who} may need {need.processes} processes; this control group allows {processes}: "
            "raise that (WORKER_PIDS in .env, TasksMax= of a service), or set ARENA_WORKERS lower."
        )


def _less(workers: int, limits: Limits, memory: int) -> str:
    """Return the settings that fit: fewer workers first, because an arena's bots need the same memory everywhere."""
    fits = next((fewer for fewer in range(workers - 1, 0, -1) if needed(fewer, limits).memory <= memory), 0)
    return f"set ARENA_WORKERS={fits}" if fits else f"set ARENA_BOT_MEMORY below {limits.memory // MIB}"
