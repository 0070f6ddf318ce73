"""Measure how long a bot's process sleeps while the engine waits for it.

Idle time is real time minus CPU time minus the time that the process spent ready and waiting for a processor. The
kernel counts that wait for each process (/proc/PID/schedstat), so a busy machine costs a bot nothing. Time in which the
process is stopped or waits for a disk is not idle time either. On kernels that do not count the wait, only time between
two samples that both find the process asleep is idle.

Measurement starts with the first sample, a few milliseconds after the request. Nearly all answers arrive earlier and
need no system call; their first milliseconds are never charged.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class _Sample(NamedTuple):
    """One sample of a process; times in seconds."""

    now: float
    cpu: float
    waited: float | None
    """Total time waited for a processor; None if the kernel does not count it. Excludes a wait in progress."""
    asleep: bool


class Idle:
    """Idle time of one process, answer by answer."""

    def __init__(self, pid: int, state: Callable[[], str], answered: Callable[[], bool]) -> None:
        self._schedstat = Path(f"/proc/{pid}/schedstat")
        self._state = state
        self._answered = answered
        self._first: _Sample | None = None
        self._last: _Sample | None = None
        self._excused = 0.0
        self._before = 0.0
        self.slept = 0.0
        """Seconds slept over the current answer."""

    @property
    def total(self) -> float:
        """Seconds slept over all answers so far."""
        return self._before + self.slept

    def begin(self) -> None:
        """Start a new answer."""
        if self._last:  # usually no sample was taken
            self._before += self.slept
            self.slept = self._excused = 0.0
            self._first = self._last = None

    def start_at(self, now: float, cpu: float) -> None:
        """Count from now on instead of from the first sample.

        Earlier waits for a processor are not read, so they all count as later waits, in the bot's favour.
        """
        self._first = self._last = _Sample(now, cpu, 0.0, asleep=False)

    def sample(self, now: float, cpu: float) -> bool:
        """Take a sample. `now` and `cpu` must just have been read. Return whether the process sleeps voluntarily."""
        state = self._state()
        sample = _Sample(now, cpu, self._waited(), state == "S")
        # Only after `now` was read: the process may be asleep because the engine has not read its answer yet.
        if sample.asleep and self._answered():
            return False
        if self._first and self._last:
            self._count(self._first, self._last, sample, state)
        self._first = self._first or sample
        self._last = sample
        return sample.asleep

    def _count(self, first: _Sample, last: _Sample, sample: _Sample, state: str) -> None:
        since = sample.now - last.now
        if sample.waited is None or first.waited is None:
            certain, waited = sample.asleep and last.asleep, 0.0
        else:
            certain, waited = state in "SR", sample.waited - first.waited
        if not certain:
            self._excused += max(since - (sample.cpu - last.cpu), 0.0)
        idle = sample.now - first.now - (sample.cpu - first.cpu) - waited - self._excused
        if sample.asleep:
            self.slept = max(self.slept, idle)
        elif sample.cpu > last.cpu:  # it has run since the last sample, so the current wait began after that sample
            self.slept = max(self.slept, idle - since)

    def _waited(self) -> float | None:
        try:
            _, waited, slices = map(int, self._schedstat.read_text().split())
        except (OSError, ValueError):
            return None
        return waited / 1e9 if slices else None
