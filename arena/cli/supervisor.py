"""Runs the parts of an arena as child processes: starts, watches, restarts and stops them.

One thread without polling: signals are blocked and awaited. No part outlives the supervisor: each has a process
group that is killed as a whole, the kernel signals a part when the supervisor dies, and orphans of a part are
reparented to the supervisor (a "subreaper"), which kills them.
"""

import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Self

from arena.cli.processes import (
    HEARD,
    PR_SET_CHILD_SUBREAPER,
    Part,
    Process,
    end_orphans,
    ended_children,
    how,
    last_words,
    prctl,
    send,
    spawn,
)
from arena.exits import ExitCode
from arena.games.errors import ArenaError, Misconfigured
from arena.services.base.outages import Outage

PATIENCE: Final = 60.0
"""Timeout, in seconds, for a part to become ready."""
BLINK: Final = 0.05
"""Interval, in seconds, between readiness checks."""
PAUSES: Final[Sequence[float]] = (0, 1, 2, 4, 8, 16, 30, 60)
"""Seconds until a part is started again after its first death in a row, its second, and so on."""
STEADY: Final = 60.0
"""Seconds of life after which a part's next death counts as its first."""
GLANCE: Final = 1.0
"""Interval, in seconds, between readiness checks of a part that was started again."""
LADDER: Final = ((signal.SIGTERM, 4.0), (signal.SIGQUIT, 2.0), (signal.SIGKILL, 2.0))
"""Signals for stopping a part, and the seconds of grace after each."""


class PartFailed(ArenaError):
    """A part that cannot be kept running; the message has its name, the cause, and its log."""


class Stopped(Exception):
    """The supervisor received a signal to stop."""


@dataclass
class _Running:
    part: Part
    process: Process
    since: float
    """Time of the last start, like all times here in seconds of the monotonic clock."""
    deaths: int = 0
    """Deaths in a row."""
    retry_at: float | None = None
    """Time of the next start; None while the process runs."""
    recovering: bool = False
    """Whether it was started again and is not ready yet."""
    outage: Outage | None = None

    @property
    def fallen(self) -> bool:
        """Whether the process ended and nobody has noticed yet."""
        return self.process.returncode is not None and self.retry_at is None


class Supervisor:
    """A context manager that stops every part on exit."""

    def __init__(
        self,
        say: Callable[[str], None],
        report: Callable[[Sequence[Outage]], None],
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        """`say` receives a sentence about each event of a part, `report` all outages whenever they change."""
        self.say = say
        self.report = report
        self.pauses = pauses
        self.stopped = False
        """Whether a signal to stop has arrived."""
        self._running: dict[str, _Running] = {}
        self._mask: set[signal.Signals | int] = set()

    def __enter__(self) -> Self:
        self._mask = set(signal.pthread_sigmask(signal.SIG_BLOCK, {*HEARD, signal.SIGCHLD}))
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def start(self, part: Part) -> int:
        """Start a part without waiting until it is ready. Returns its process ID."""
        part.before()
        process = spawn(part)
        self._running[part.name] = _Running(part, process, time.monotonic())
        return process.pid

    def wait_ready(self, part: Part, patience: float = PATIENCE) -> None:
        """Wait until a started part is ready.

        Raises `PartFailed` if it dies or times out, `Misconfigured` if it can never work, and `Stopped`.
        """
        deadline = time.monotonic() + patience
        while not part.ready():
            self._sleep(BLINK)
            self._reap()
            code = self._running[part.name].process.returncode
            _require_workable(part, code)
            if code is not None:
                raise PartFailed(f"{part.name} could not start: {how(code)}.{last_words(part.log)}")
            if time.monotonic() > deadline:
                raise PartFailed(f"{part.name} was not ready after {patience:g} seconds.{last_words(part.log)}")

    def watch(self, seconds: float | None = None) -> None:
        """Keep all parts running for a time, or for ever.

        Returns before on a signal to stop. Raises `Misconfigured` if a part can never work.
        """
        end = None if seconds is None else time.monotonic() + seconds
        with suppress(Stopped):
            while end is None or time.monotonic() < end:
                self._reap()
                self._bury_fallen()
                self._revive_due()
                self._check_recovering()
                self._sleep(self._idle_seconds(end))

    def stop(self) -> None:
        """Stop all parts and their orphans. Returns when none is left; a second signal shortens the grace."""
        for needed in (False, True):
            self._stop([running for running in self._running.values() if running.part.needed is needed])
        self._running.clear()
        end_orphans(())

    def _stop(self, parts: Sequence[_Running]) -> None:
        for number, grace in LADDER:
            for running in parts:
                send(running.process, number)
            if self._gone(parts, grace):
                break

    def _bury_fallen(self) -> None:
        for running in self._running.values():
            if running.fallen:
                self._bury(running)

    def _bury(self, running: _Running) -> None:
        """Note a death, and end what the part left behind: orphans must not meet its next process."""
        code = running.process.returncode
        assert code is not None  # noqa: S101 -- it has fallen
        _require_workable(running.part, code)
        # Parts whose death has not been handled yet are spared.
        end_orphans([other.process.pid for other in self._running.values() if other is not running])
        self._postpone(running, "died", how(code), last_words(running.part.log))

    def _postpone(self, running: _Running, event: str, reason: str, details: str = "") -> None:
        """Plan the next start of a part that died or could not be started, later after each death in a row."""
        now = time.monotonic()
        running.deaths = running.deaths + 1 if now - running.since < STEADY else 1
        pause = self.pauses[min(running.deaths, len(self.pauses)) - 1]
        running.retry_at, running.recovering = now + pause, False
        then = f"Next start in {pause:g} s." if pause else "Restarting it."
        self.say(f"{running.part.name} {event}: {reason}. {then}{details}")
        if pause:
            running.outage = Outage(running.part.name, reason, datetime.now(UTC) + timedelta(seconds=pause))
            self._report()

    def _revive_due(self) -> None:
        """Start the parts whose pause is over."""
        for running in self._running.values():
            if running.retry_at is not None and running.retry_at <= time.monotonic():
                self._revive(running)

    def _revive(self, running: _Running) -> None:
        running.since = time.monotonic()
        try:
            running.part.before()
            running.process = spawn(running.part)
        except (ArenaError, OSError) as error:  # a full disk, no memory, no folder
            self._postpone(running, "could not start", getattr(error, "strerror", None) or str(error))
        else:
            running.retry_at, running.recovering = None, True

    def _check_recovering(self) -> None:
        """Declare outages over whose parts are ready again."""
        for running in self._running.values():
            if running.recovering and running.part.ready():
                running.recovering = False
                if running.outage:
                    running.outage = None
                    self.say(f"{running.part.name} ready again.")
                    self._report()

    def _report(self) -> None:
        self.report([running.outage for running in self._running.values() if running.outage])

    def _idle_seconds(self, end: float | None) -> float | None:
        """Return the seconds until something is due without a signal, `end` at the latest; None if nothing is."""
        now = time.monotonic()
        due = [] if end is None else [end - now]
        due += [running.retry_at - now for running in self._running.values() if running.retry_at is not None]
        glances = [GLANCE for running in self._running.values() if running.recovering]
        return max(0.0, min([*due, *glances])) if due or glances else None

    def _sleep(self, seconds: float | None) -> None:
        """Sleep until a child ends or the time is over. Raises `Stopped`."""
        awaited = {*HEARD, signal.SIGCHLD}
        info = signal.sigwaitinfo(awaited) if seconds is None else signal.sigtimedwait(awaited, seconds)
        if info is not None and info.si_signo in HEARD:
            self.stopped = True
            raise Stopped

    def _reap(self) -> None:
        """Reap all children that have ended, and note the exit codes of the parts among them."""
        alive = [running.process for running in self._running.values() if running.process.returncode is None]
        by_pid = {process.pid: process for process in alive}
        for pid, code in ended_children():
            if pid in by_pid:
                by_pid[pid].returncode = code

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


def _require_workable(part: Part, code: int | None) -> None:
    """Raise `Misconfigured` if a part says by its exit code that no restart helps."""
    if code == ExitCode.MISCONFIGURED:
        raise Misconfigured(f"{part.name} cannot work with these settings and this database.{last_words(part.log)}")
