"""Look for work in the database while no doorbell comes: the broker may be away, or the clock, or this worker deaf.

A process that hears nothing sweeps, and answers the doorbells of its sweep itself. So tables are still announced in
fair turns, leases expire and schedules start, only later than with a broker. The first doorbell that arrives ends this.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from random import uniform
from threading import Event, Thread, current_thread
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from arena.services.base.context import Doorbell
from arena.services.base.texts import log_fields
from arena.services.work import sweep
from workers.process import WorkerProcess

SILENCE: Final = 8.0
"""Seconds without a doorbell after which an idle process looks for work. With a broker and a clock, some process hears
a tick every three seconds."""

log: Final = structlog.get_logger()


class Poller:
    """Finds the work of a silent worker process, in a thread beside the one that answers doorbells."""

    def __init__(self, worker: WorkerProcess, silence: float = SILENCE) -> None:
        self._worker = worker
        self._silence = silence
        self._doorbells: deque[Doorbell] = deque()
        self._arena = replace(worker.arena, bell=self._keep)
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="poller", daemon=True)

    def start(self) -> None:
        """Start the thread; it ends before the worker process closes."""
        self._worker.closing.callback(self.stop)
        self._thread.start()

    def stop(self) -> None:
        """Stop after the piece of work at hand."""
        self._stopped.set()
        if current_thread() is not self._thread:
            self._thread.join()

    def poll(self) -> None:
        """If the process is idle and silent, sweep and do the work found, until there is none or a doorbell arrives."""
        with self._worker.idle() as idle:
            while idle and self._is_silent() and self._worker.may_work() and self._sweep():
                self._answer_all()

    def _run(self) -> None:
        while not self._stopped.wait(self._silence * uniform(0.5, 1)):
            self._tend_cage()
            self.poll()

    def _tend_cage(self) -> None:
        try:
            self._worker.prove_if_idle()
            self._worker.close_idle_cage()
        except SQLAlchemyError as error:
            log.warning("the database does not answer", **log_fields(error))

    def _is_silent(self) -> bool:
        return not self._stopped.is_set() and self._worker.silence() >= self._silence

    def _sweep(self) -> bool:
        """Sweep, and return whether doorbells rang."""
        try:
            sweep.tick(self._arena)
        except Exception:
            log.exception("sweep failed")
        self._worker.courier.wake()
        return bool(self._doorbells)

    def _answer_all(self) -> None:
        log.info("no doorbell comes; work found in the database", doorbells=len(self._doorbells))
        while self._doorbells and self._is_silent():
            self._worker.do(self._doorbells.popleft(), self._arena)
        if self._doorbells:
            self._arena.unmark(self._doorbells)
            self._doorbells.clear()

    def _keep(self, doorbells: Sequence[Doorbell]) -> bool:
        self._doorbells += doorbells
        return True
