"""Control groups that limit the memory and the number of processes of a zygote and its bots.

The limits of each bot (see `inside.layers`) exclude memory that the kernel needs for it, such as page tables. A control
group counts everything, holds even if the other limits fail, and is never swapped out. There is one group for the whole
zygote and, inside it, one for each seat. The kernel kills only the bot that fills its seat's group, and the group
records it.

    arena-PID            limits of the zygote
    arena-PID/zygote     the warden and the root of the templates
    arena-PID/seat-3     the template of seat 3 and the bot in that seat

Version 2 is used if its controllers are available, otherwise version 1.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

CONTROLLERS: Final = ("memory", "pids")
_PREFIX: Final = "arena-"
_OWN: Final = "zygote"
"""Group of the zygote's own processes. In version 2, a group that contains groups cannot have processes."""
_EXIT_TIMEOUT: Final = 2.0
"""Seconds until the last process of a group is gone after it was killed."""


class GroupLimits(NamedTuple):
    """Limits for a zygote and all its children together."""

    memory: int
    """Bytes."""
    processes: int


class _Version(NamedTuple):
    """File names in one version of control groups."""

    memory: str
    swap: str
    kills: str
    """File that counts processes killed for lack of memory, as `oom_kill`."""
    full: tuple[str, str]
    """File that counts how often the limit was reached, and the key in that file; empty if it holds a single number."""


_VERSIONS: Final = {
    1: _Version("memory.limit_in_bytes", "memory.swappiness", "memory.oom_control", ("memory.failcnt", "")),
    2: _Version("memory.max", "memory.swap.max", "memory.events", ("memory.events", "oom")),
}


class ZygoteGroup:
    """Control groups of a zygote: one tree of folders in version 2, one for each controller in version 1."""

    def __init__(self, version: int, folders: list[Path]) -> None:
        self.version = version
        self.folders = folders
        """Top-level folders. The first contains the groups of the seats."""
        self._limits: dict[int, int] = {}
        self._counted: dict[int, tuple[int, int]] = {}

    @property
    def seats(self) -> str:
        """Folder that contains the groups of the seats."""
        return str(self.folders[0])

    def add(self, pid: int) -> None:
        """Move a process that has no children yet into the group. Raises `OSError`."""
        for folder in self.folders:
            (folder / _OWN / "cgroup.procs").write_text(str(pid))

    def limit_seat(self, seat: int, memory: int) -> None:
        """Limit the memory of the next bot in this seat, in bytes. Raises `OSError`."""
        if self._limits.get(seat) == memory:
            return
        folder = self._seat(seat)
        if seat not in self._limits:
            folder.mkdir()
            _write(folder, {_VERSIONS[self.version].swap: 0})
        _write(folder, {_VERSIONS[self.version].memory: memory})
        self._limits[seat] = memory

    def used_up(self, seat: int) -> bool:
        """Return whether a process in this seat was killed because its group was full, since the last call."""
        try:
            counted = self._count(seat)
        except OSError:
            return False
        before, self._counted[seat] = self._counted.get(seat, (0, 0)), counted
        return all(now > then for now, then in zip(counted, before, strict=True))

    def _count(self, seat: int) -> tuple[int, int]:
        """Return the number of processes killed for lack of memory, and how often the limit was reached."""
        version = _VERSIONS[self.version]
        kills = _number((self._seat(seat) / version.kills).read_text(), "oom_kill")
        file, key = version.full
        return kills, _number((self._seat(seat) / file).read_text(), key)

    def _seat(self, seat: int) -> Path:
        return self.folders[0] / f"seat-{seat}"

    def close(self) -> None:
        """Kill all processes in the groups and remove the groups. The next `make` removes any that remain."""
        for folder in self.folders:
            with suppress(OSError):
                (folder / "cgroup.kill").write_text("1")
            _remove(folder)


def make(pid: int, limits: GroupLimits) -> ZygoteGroup:
    """Create control groups for a process, next to or below our own. Raises `OSError` with the reason if it cannot."""
    reasons = []
    for version, attempt in ((2, _make_v2), (1, _make_v1)):
        try:
            return ZygoteGroup(version, attempt(f"{_PREFIX}{pid}", limits))
        except OSError as error:
            reasons.append(f"version {version}: {_why(error)}")
    raise OSError(0, "; ".join(reasons))


def _make_v2(name: str, limits: GroupLimits) -> list[Path]:
    own = own_folders("cgroup2").get("")
    if own is None:
        raise OSError(0, "not mounted")
    failure = OSError(0, f"the controllers {' and '.join(CONTROLLERS)} are not available")
    for parent in (own, own.parent):
        try:
            if _delegate_controllers(parent):
                values = {"memory.max": limits.memory, "memory.swap.max": 0, "pids.max": limits.processes}
                return [_make(parent / name, values, delegate=True)]
        except OSError as error:
            failure = error
    raise failure


def _delegate_controllers(folder: Path) -> bool:
    """Delegate the controllers to a group's children if the group has them. Return whether the children have them."""
    given = folder / "cgroup.subtree_control"
    if not set(CONTROLLERS) <= set((folder / "cgroup.controllers").read_text().split()):
        return False
    if not set(CONTROLLERS) <= set(given.read_text().split()):
        given.write_text(" ".join(f"+{controller}" for controller in CONTROLLERS))
    return True


def _make_v1(name: str, limits: GroupLimits) -> list[Path]:
    own = own_folders("cgroup")
    if missing := [controller for controller in CONTROLLERS if controller not in own]:
        raise OSError(0, f"{' and '.join(missing)} not mounted")
    values = {
        "memory": {"memory.use_hierarchy": 1, "memory.limit_in_bytes": limits.memory, "memory.swappiness": 0},
        "pids": {"pids.max": limits.processes},
    }
    made: list[Path] = []
    try:
        made.extend(_make(own[controller] / name, values[controller]) for controller in CONTROLLERS)
    except OSError:
        ZygoteGroup(1, made).close()
        raise
    return made


def _make(folder: Path, limits: Mapping[str, int], delegate: bool = False) -> Path:
    for other in folder.parent.glob(f"{_PREFIX}*"):
        # Left over from a killed engine. A running engine may have created its group and not have entered it yet.
        if not Path("/proc", other.name.removeprefix(_PREFIX)).exists():
            with suppress(OSError):
                _remove_now(other)
    folder.mkdir()
    try:
        _write(folder, limits)
        if delegate:
            _delegate_controllers(folder)
        (folder / _OWN).mkdir()
    except OSError:
        _remove_now(folder)
        raise
    return folder


def _write(folder: Path, values: Mapping[str, int]) -> None:
    for file, value in values.items():
        if (folder / file).exists():  # a kernel without swap has no file for its limit
            (folder / file).write_text(str(value))


def _number(text: str, key: str) -> int:
    """Return the number in a control group's file: the whole content, or the value on the line with this key."""
    if not key:
        return int(text)
    return next((int(line.split()[1]) for line in text.splitlines() if line.split()[0] == key), 0)


def _remove(folder: Path) -> None:
    deadline = time.monotonic() + _EXIT_TIMEOUT
    while time.monotonic() < deadline:
        try:
            _remove_now(folder)
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.002)
        else:
            return


def _remove_now(folder: Path) -> None:
    """Remove a group and the groups inside it. Raises `OSError`."""
    for inside in [path for path in folder.iterdir() if path.is_dir()]:
        inside.rmdir()
    folder.rmdir()


def own_folders(kind: str) -> dict[str, Path]:
    """Return the folders of our own groups by controller; version 2 has one, without a name. Raises `OSError`."""
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
    """Yield each controller with the root of its mounted hierarchy and the mount point (proc_pid_mountinfo(5))."""
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
