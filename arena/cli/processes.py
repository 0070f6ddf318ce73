"""The processes of an arena's parts: start them, signal them, reap them, and end what they left behind."""

import ctypes
import os
import resource
import runpy
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

HEARD: Final = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
"""Signals that ask the supervisor to stop."""
PR_SET_PDEATHSIG, PR_SET_NAME, PR_SET_CHILD_SUBREAPER = 1, 15, 36

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
    preloaded: bool = False
    """Whether this process has imported the part's modules, so that the part can be a fork that shares its memory."""
    needed: bool = False
    """Whether other parts need this one while they stop; it is stopped after them."""


@dataclass
class Process:
    """A child of this process that runs a part."""

    pid: int
    returncode: int | None = None
    """Exit code (negative: the signal), once the child has been reaped."""


def spawn(part: Part) -> Process:
    """Start a part in a process group of its own, which the kernel ends when this process dies. Raises `OSError`."""
    part.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    parent = os.getpid()
    with suppress(OSError):
        sys.stdout.flush()  # once, not in the child as well
    with part.log.open("ab") as log:
        pid = os.fork()
        if pid:
            return Process(pid)
        try:
            _detach(part, parent, log.fileno())
            code = _run(part)
        except BaseException:
            traceback.print_exc()
            code = 1
        finally:  # nothing above this frame, or registered for the exit, is the child's to clean up
            threading._shutdown()  # type: ignore[attr-defined]
            os._exit(code)


def _detach(part: Part, parent: int, log: int) -> None:
    """Make this new child of `parent` independent of it, except that it ends with it."""
    prctl(PR_SET_PDEATHSIG, signal.SIGQUIT, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    prctl(PR_SET_NAME, f"arena-{part.name}".encode(), 0, 0, 0)  # a fork has this process's command line
    os.setsid()
    for number in (*HEARD, signal.SIGQUIT):  # a shell may have started us in the background with these ignored
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    null = os.open(os.devnull, os.O_RDONLY)
    for standard, source in enumerate((null, log, log)):
        os.dup2(source, standard)
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])  # such as the lock of the home folder
    if part.folder:
        os.chdir(part.folder)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _run(part: Part) -> int:
    """Run a part's program in this process, and return its exit code."""
    if not part.preloaded:
        os.execve(part.command[0], list(part.command), part.environ)  # noqa: S606 -- the arena's own programs
    os.environ.update(part.environ)
    for stream in (sys.stdout, sys.stderr):  # which may belong to a terminal with another encoding
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", write_through=True)  # type: ignore[union-attr]
    _, _, module, *sys.argv[1:] = part.command  # python -m module words
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def ended_children() -> Iterator[tuple[int, int]]:
    """Yield the process ID and exit code (negative: the signal) of each child that ended since the last call."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def send(process: Process, number: signal.Signals) -> None:
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
