"""A control group around a zygote and all its children: how much memory and how many processes they have together.

Each bot has limits of its own (see `inside.layers`). This is a roof over them: the kernel keeps it even where those are
got round, and what is under it is never swapped out. Version 2 where its controllers can be had, else version 1.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

CONTROLLERS: Final = ("memory", "pids")
_PREFIX: Final = "arena-"
_PATIENCE: Final = 2.0
"""Seconds in which the last process of a group is gone, once it has been killed."""


class Roof(NamedTuple):
    """What a zygote and its children may use together."""

    memory: int
    """Bytes."""
    processes: int


class Group:
    """A control group: one folder in version 2, one for each controller in version 1."""

    def __init__(self, version: int, folders: list[Path]) -> None:
        self.version = version
        self.folders = folders

    def take(self, pid: int) -> None:
        """Move a process that has no children yet into the group. Raises OSError."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def close(self) -> None:
        """Remove the group, and whoever is left in it. What cannot be removed now goes with the next `make`."""
        for folder in self.folders:
            with suppress(OSError):
                (folder / "cgroup.kill").write_text("1")
            _remove(folder)


def make(pid: int, roof: Roof) -> Group:
    """A new control group for a process, beside or below our own. Raises OSError, whose text says why there is none."""
    reasons = []
    for version, attempt in ((2, _second_version), (1, _first_version)):
        try:
            return Group(version, attempt(f"{_PREFIX}{pid}", roof))
        except OSError as error:
            reasons.append(f"version {version}: {_why(error)}")
    raise OSError(0, "; ".join(reasons))


def _second_version(name: str, roof: Roof) -> list[Path]:
    own = own_folders("cgroup2").get("")
    if own is None:
        raise OSError(0, "not mounted")
    failure = OSError(0, f"the controllers {' and '.join(CONTROLLERS)} are not to be had")
    for parent in (own, own.parent):
        try:
            if _hands_down(parent):
                limits = {"memory.max": roof.memory, "memory.swap.max": 0, "pids.max": roof.processes}
                return [_make(parent / name, limits)]
        except OSError as error:
            failure = error
    raise failure


def _hands_down(folder: Path) -> bool:
    """Whether a group's children get the controllers; it is told to, where it has them."""
    given = folder / "cgroup.subtree_control"
    if not set(CONTROLLERS) <= set((folder / "cgroup.controllers").read_text().split()):
        return False
    if not set(CONTROLLERS) <= set(given.read_text().split()):
        given.write_text(" ".join(f"+{controller}" for controller in CONTROLLERS))
    return True


def _first_version(name: str, roof: Roof) -> list[Path]:
    own = own_folders("cgroup")
    if missing := [controller for controller in CONTROLLERS if controller not in own]:
        raise OSError(0, f"{' and '.join(missing)} not mounted")
    limits = {
        "memory": {"memory.limit_in_bytes": roof.memory, "memory.swappiness": 0},
        "pids": {"pids.max": roof.processes},
    }
    made: list[Path] = []
    try:
        made.extend(_make(own[controller] / name, limits[controller]) for controller in CONTROLLERS)
    except OSError:
        Group(1, made).close()
        raise
    return made


def _make(folder: Path, limits: Mapping[str, int]) -> Path:
    for other in folder.parent.glob(f"{_PREFIX}*"):
        # Of an engine that was killed. One that is alive may have made its group and not be in it yet.
        if not Path("/proc", other.name.removeprefix(_PREFIX)).exists():
            with suppress(OSError):
                other.rmdir()
    folder.mkdir()
    try:
        for file, limit in limits.items():
            if (folder / file).exists():  # a kernel without swap has no limit of it
                (folder / file).write_text(str(limit))
    except OSError:
        folder.rmdir()
        raise
    return folder


def _remove(folder: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.002)
        else:
            return


def own_folders(kind: str) -> dict[str, Path]:
    """The folders of our own groups, by controller; in version 2 there is one, without a name. Raises OSError."""
    mounts = dict(_mounts(kind))
    found = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            if controller in mounts:
                root, point = mounts[controller]
                found[controller] = point / Path(path).relative_to(root) if Path(path).is_relative_to(root) else point
    return found


def _mounts(kind: str) -> Iterator[tuple[str, tuple[str, Path]]]:
    """By controller, which part of its hierarchy is mounted, and where (proc_pid_mountinfo(5))."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        root, point = left.split()[3:5]
        file_system, _, options = right.split(" ", 2)
        if file_system == kind:
            for controller in [""] if kind == "cgroup2" else options.split(","):
                yield controller, (root, Path(point))


def _why(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{reason} ({error.filename})" if error.filename else reason
