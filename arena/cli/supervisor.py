"""Runs the parts of an arena as child processes: starts, watches, restarts and stops them.

One thread without polling: signals are blocked and awaited. No part outlives the supervisor: each has a process
group that is killed as a whole, the kernel signals a part when the supervisor dies, and orphans of a part are
reparented to the supervisor (a "subreaper"), which kills them.
"""

import ctypes
import os
import resource
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from arena.games.errors import ArenaError

PATIENCE: Final = 60.0
"""Timeout, in seconds, for a part to become ready."""
BLINK: Final = 0.05
"""Interval, in seconds, between readiness checks."""
DEATHS: Final = 3
WITHIN: Final = 60.0
"""A part that dies DEATHS times within this number of seconds is not restarted."""
LADDER: Final = ((signal.SIGTERM, 4.0), (signal.SIGQUIT, 2.0), (signal.SIGKILL, 2.0))
"""Signals for stopping a part, and the seconds of grace after each."""
HEARD: Final = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

_prctl = ctypes.CDLL(None, use_errno=True).prctl


class PartFailed(ArenaError):
    """A part that cannot be kept running; the message has its name, the cause, and its log."""


class Stopped(Exception):
    """The supervisor received a signal to stop."""


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


@dataclass
class _Running:
    part: Part
    process: subprocess.Popen[bytes]
    deaths: deque[float]


class Supervisor:
    """A context manager that stops every part on exit."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """`say` receives a sentence about each event of a part."""
        self.say = say
        self._running: dict[str, _Running] = {}
        self._mask: set[signal.Signals | int] = set()

    def __enter__(self) -> Self:
        self._mask = set(signal.pthread_sigmask(signal.SIG_BLOCK, {*HEARD, signal.SIGCHLD}))
        _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def start(self, part: Part) -> int:
        """Start a part without waiting until it is ready. Returns its process ID."""
        part.before()
        deaths = self._running[part.name].deaths if part.name in self._running else deque(maxlen=DEATHS)
        process = _spawn(part)
        self._running[part.name] = _Running(part, process, deaths)
        return process.pid

    def wait_ready(self, part: Part, patience: float = PATIENCE) -> None:
        """Wait until a started part is ready. Raises `PartFailed` if it dies or times out, and `Stopped`."""
        deadline = time.monotonic() + patience
        while not part.ready():
            self._sleep(BLINK)
            self._reap()
            code = self._running[part.name].process.returncode
            if code is not None:
                raise PartFailed(f"{part.name} could not start: {_how(code)}.{last_words(part.log)}")
            if time.monotonic() > deadline:
                raise PartFailed(f"{part.name} was not ready after {patience:g} seconds.{last_words(part.log)}")

    def watch(self) -> None:
        """Keep all parts running until a signal to stop. Raises `PartFailed` if one dies too often."""
        with suppress(Stopped):
            while True:
                for running in self._reap():
                    self._replace(running)
                self._sleep(None)

    def stop(self) -> None:
        """Stop all parts and their orphans. Returns when none is left; a second signal shortens the grace."""
        for needed in (False, True):
            self._stop([running for running in self._running.values() if running.part.needed is needed])
        self._running.clear()
        _end_orphans(())

    def _stop(self, parts: Sequence[_Running]) -> None:
        for number, grace in LADDER:
            for running in parts:
                _signal(running.process, number)
            if self._gone(parts, grace):
                break

    def _replace(self, running: _Running) -> None:
        part, now = running.part, time.monotonic()
        running.deaths.append(now)
        how = _how(running.process.returncode)
        if len(running.deaths) == DEATHS and now - running.deaths[0] < WITHIN:
            often = f"{part.name} died {DEATHS} times within {WITHIN:g} seconds, most recently: {how}."
            raise PartFailed(f"{often}{last_words(part.log)}")
        self.say(f"{part.name} died: {how}. Restarting it.{last_words(part.log)}")
        # Orphans must not meet the new process. Parts whose death has not been handled yet are spared.
        _end_orphans([other.process.pid for other in self._running.values() if other is not running])
        self.start(part)

    def _sleep(self, seconds: float | None) -> None:
        """Sleep until a child ends or the time is over. Raises `Stopped`."""
        awaited = {*HEARD, signal.SIGCHLD}
        info = signal.sigwaitinfo(awaited) if seconds is None else signal.sigtimedwait(awaited, seconds)
        if info is not None and info.si_signo in HEARD:
            raise Stopped

    def _reap(self) -> list[_Running]:
        """Reap all children that have ended and return the parts among them."""
        by_pid = {running.process.pid: running for running in self._running.values()}
        ended = []
        for pid, code in _ended_children():
            if pid in by_pid:
                by_pid[pid].process.returncode = code
                ended.append(by_pid[pid])
        return ended

    def _gone(self, parts: Sequence[_Running], grace: float) -> bool:
        """Return whether the parts end within `grace` seconds; a second signal to stop cuts the wait short."""
        deadline = time.monotonic() + grace
        while True:
            self._reap()
            if all(running.process.returncode is not None for running in parts):
                return True
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            try:
                self._sleep(left)
            except Stopped:
                return False


def _spawn(part: Part) -> subprocess.Popen[bytes]:
    parent = os.getpid()

    def in_child() -> None:
        _prctl(PR_SET_PDEATHSIG, signal.SIGQUIT, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
        for number in (*HEARD, signal.SIGQUIT):  # a shell may have started us in the background with these ignored
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

    part.log.parent.mkdir(parents=True, exist_ok=True)
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


def _ended_children() -> Iterator[tuple[int, int]]:
    """Yield the process ID and exit code (negative: the signal) of each child that ended since the last call."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signal a part that is alive. It stops its own children, except on SIGKILL, which goes to the whole group."""
    if process.returncode is None:
        (os.killpg if number is signal.SIGKILL else os.kill)(process.pid, number)


def _end_orphans(parts: Collection[int]) -> None:
    """Kill orphans of dead parts: all children of this process except `parts`, until none is left."""
    while orphans := [pid for pid, parent in _parents() if parent == os.getpid() and pid not in parts]:
        for pid in orphans:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _parents() -> Iterator[tuple[int, int]]:
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            yield int(entry.name), int((entry / "stat").read_text().rpartition(")")[2].split()[1])


def _how(code: int) -> str:
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
