"""The processes of an arena's parts: start them, signal them, reap them, and end what they left behind."""

import ctypes
import os
import resource
import signal
import subprocess
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

HEARD: Final = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
"""Signals that ask the supervisor to stop."""
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

prctl = ctypes.CDLL(None, use_errno=True).prctl


@dataclass(frozen=True)
class Part:
    """A program to keep running."""

    name: str
    command: Sequence[str]
    log: Path
    """File that receives the output."""
    ready: Callable[[], bool]
    """Whether the part does its work. Must return almost immediately."""
    environ: Mapping[str, str] = field(default_factory=dict)
    """Complete environment."""
    folder: Path | None = None
    """Working directory."""
    before: Callable[[], None] = lambda: None
    """Called before every start."""
    needed: bool = False
    """Whether other parts need this one while they stop; it is stopped after them."""


def spawn(part: Part) -> subprocess.Popen[bytes]:
    """Start a part in a process group of its own, which the kernel ends when this process dies. Raises `OSError`."""
    parent = os.getpid()

    def in_child() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGQUIT, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
        for number in (*HEARD, signal.SIGQUIT):  # a shell may have started us in the background with these ignored
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

    part.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with part.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 -- the arena's own programs
            part.command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=dict(part.environ),
            cwd=part.folder,
            start_new_session=True,
            preexec_fn=in_child,
        )


def ended_children() -> Iterator[tuple[int, int]]:
    """Yield the process ID and exit code (negative: the signal) of each child that ended since the last call."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def send(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signal a part that is alive. It stops its own children, except on SIGKILL, which goes to the whole group."""
    if process.returncode is None:
        (os.killpg if number is signal.SIGKILL else os.kill)(process.pid, number)


def end_orphans(parts: Collection[int]) -> None:
    """Kill orphans of dead parts: all children of this process except `parts`, until none is left."""
    while orphans := [pid for pid, parent in parents() if parent == os.getpid() and pid not in parts]:
        for pid in orphans:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def parents() -> Iterator[tuple[int, int]]:
    """Yield the process ID and the parent of each process of this machine."""
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            yield int(entry.name), int((entry / "stat").read_text().rpartition(")")[2].split()[1])


def how(code: int) -> str:
    """Describe how a process ended."""
    if code >= 0:
        return f"exit status {code}"
    with suppress(ValueError):
        return f"killed by {signal.Signals(-code).name}"
    return f"killed by signal {-code}"


def last_words(log: Path, lines: int = 8) -> str:
    """Return the end of a log, indented, followed by its path."""
    with suppress(OSError), log.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - 8192))
        tail = file.read().decode(errors="replace").splitlines()[-lines:]
        return "".join(f"\n    {line}" for line in [*tail, f"(log: {log})"])
    return ""
