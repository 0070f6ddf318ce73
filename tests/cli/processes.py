"""Process inspection, and waiting with a time limit."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


def until(condition: Callable[[], object], what: str, seconds: float = 20) -> None:
    """Wait until the condition holds. Fails with `what` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"after {seconds} seconds this has not come about: {what}")
        time.sleep(0.05)


def alive(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return state_and_parent(pid)[0] != "Z"
    except OSError:
        return False


class Process(NamedTuple):
    """A process identified by its ID and start time, because IDs are reused."""

    pid: int
    started: int
    """Start time in clock ticks since boot."""

    def alive(self) -> bool:
        """Whether the process exists and is not a zombie."""
        return alive(self.pid) and seen(self.pid) == self


def seen(pid: int) -> Process | None:
    """Return the process with this ID; None if there is none."""
    try:
        return Process(pid, int(_fields(pid)[19]))
    except OSError:
        return None


def state_and_parent(pid: int) -> tuple[str, int]:
    """Return a process's state letter and parent. Raises `OSError` if the process does not exist."""
    state, parent, *_ = _fields(pid)
    return state, int(parent)


def _fields(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the state on. Raises `OSError` if the process does not exist."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def command_of(pid: int) -> str:
    """Return the command line of a process; empty if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def descendants(pid: int) -> list[int]:
    """Return all living descendants of this process."""
    parents: dict[int, int] = {}
    for name in (entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit()):
        with suppress(OSError):
            state, parents[int(name)] = state_and_parent(int(name))
            if state == "Z":
                del parents[int(name)]
    found = [pid]
    for each in found:
        found.extend(child for child, parent in parents.items() if parent == each)
    return found[1:]
