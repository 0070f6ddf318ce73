"""Looking at processes, and waiting for conditions with a bound."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


def until(condition: Callable[[], object], what: str, seconds: float = 20) -> None:
    """Wait until the condition holds; fail, saying what did not come about, after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"after {seconds} seconds this has not come about: {what}")
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether a process is there and not a zombie."""
    try:
        return state_and_parent(pid)[0] != "Z"
    except OSError:
        return False


class Process(NamedTuple):
    """A process that was seen once: its number is given to another one minutes after it has ended."""

    pid: int
    started: int
    """In ticks of the clock since the machine started."""

    def alive(self) -> bool:
        """Whether it is there and not a zombie."""
        return alive(self.pid) and seen(self.pid) == self


def seen(pid: int) -> Process | None:
    """The process of that number, if there is one."""
    try:
        return Process(pid, int(_fields(pid)[19]))
    except OSError:
        return None


def state_and_parent(pid: int) -> tuple[str, int]:
    """A process's state letter and its parent. Raises OSError where there is no such process."""
    state, parent, *_ = _fields(pid)
    return state, int(parent)


def _fields(pid: int) -> list[str]:
    """What Linux says of a process, from its state on. Raises OSError where there is no such process."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def command_of(pid: int) -> str:
    """The command line of a process."""
    return Path(f"/proc/{pid}/cmdline").read_text()


def descendants(pid: int) -> list[int]:
    """All living processes below this one."""
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
