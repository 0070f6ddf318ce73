"""One worker process: its arena, its cage with a zygote, its pauses and its sweeps, on a core of its own."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock, main_thread
from traceback import walk_stack
from types import FrameType
from typing import Final, Self

import structlog
from billiard import current_process

from arena.games.errors import ArenaFault
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.services.base.context import ANALYSE, ANNOUNCE, COMPARE, PLAY, VALIDATE, Arena, Doorbell, open_arena
from arena.services.base.states import ProcessState
from arena.services.base.texts import public_reason
from arena.services.health import heartbeats
from arena.services.queue import announcements
from arena.services.queue.keeper import Keeper
from arena.services.ratings import estimates
from arena.services.work import analyses, canary, play, sweep, validation
from arena.services.work.outcomes import MAX_PAUSE, Outcome, Pauses
from arena.services.work.sweep import SWEEP_EVERY
from arena.services.work.urgent import Lookout
from arena.settings import Settings
from workers import comparison, guard
from workers.bell import CeleryBell
from workers.courier import Courier
from workers.pulse import Pulse, own_name

log: Final = structlog.get_logger()

OVERDUE: Final = 30.0
"""Seconds without a sweep after which a process sweeps between the moves of a table: if all processes play tables for
minutes, none of them takes ticks."""
PROOF_AFTER: Final = 120.0
"""Seconds without a bot after which a tick plays the canary's match."""
CANARY: Final = "canary"
"""Task of a doorbell that no broker carries: the canary's match."""
IDLE: Final = 60.0
"""Seconds without work after which the cage is closed, and the process makes way for a fresh one. They hold some 35 and
25 MB; opening and starting takes moments."""
WAITING: Final = ("billiard.pool", "receive")
"""Module and function in which the main thread of a process waits for doorbells."""
WORDS: Final = {PLAY: "table", VALIDATE: "upload", ANALYSE: "analysis", CANARY: "canary"}
"""Words for the work of each kind of doorbell."""


class WorkerProcess:
    """Everything that one worker process holds, and the ways in which it works."""

    def __init__(
        self,
        arena: Arena,
        cage: Cage,
        name: str,
        delivers: Callable[[], bool] = lambda: True,
        retire: Callable[[], None] = lambda: None,
        renew: Callable[[], None] = lambda: None,
    ) -> None:
        self.arena = arena
        self.cage = cage
        self.name = name
        """Name of this worker in the database."""
        self.delivers = delivers
        """Returns whether the last doorbells were delivered."""
        self.retire = retire
        """Ends the whole worker after the work at hand of its processes."""
        self.renew = renew
        """Ends this process, which is idle."""
        self.pauses = Pauses()
        self.trouble = ""
        """Reason for the last failure outside a table; empty if there was none."""
        self.swept_at: float | None = None
        """Time of the last sweep by the monotonic clock, in seconds; None before the first."""
        self.pulse = Pulse(arena, name)
        self.courier = Courier(arena)
        self.closing = ExitStack()
        """Steps of `close`, in reverse order."""
        self._lookout = Lookout(arena, cage.aside(), name)
        self._room, self._release = guard.room(arena), guard.release(arena)
        self._retired = False
        self._turn = Lock()
        """Held by the thread that works: the cage serves one at a time."""
        self._heard_at = self._worked_at = time.monotonic()
        self._worked = False
        self.closing.callback(arena.close)
        self.closing.callback(cage.close)
        self.closing.callback(self.pulse.stop)
        self.closing.callback(self.courier.stop)

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """Pin this process to a core, and open its arena and its cage."""
        core = pin(getattr(current_process(), "index", 0))
        cage = Cage(settings.sandbox_minimum, core, limits=limits_of(settings), packages=settings.bot_packages)
        if settings.insecure:
            log.warning("insecure run: bots run with the layers that this machine has", ARENA_SANDBOX_MINIMUM="none")
        bell = CeleryBell(settings)
        return cls(open_arena(settings, bell), cage, own_name(), lambda: bell.delivers, _end_worker, _end_process)

    def close(self) -> None:
        """Close the cage with its zygote, then the arena."""
        self.closing.close()

    def silence(self) -> float:
        """Return the seconds since a doorbell arrived or its work ended."""
        return time.monotonic() - self._heard_at

    @contextmanager
    def idle(self) -> Iterator[bool]:
        """Yield whether the process is idle, and keep doorbells waiting meanwhile if it is."""
        idle = self._turn.acquire(blocking=False)
        try:
            yield idle
        finally:
            if idle:
                self._turn.release()

    def answer(self, bell: Doorbell) -> None:
        """Do the work of a doorbell that has arrived."""
        with self._hearing():
            if self.may_work():
                self.do(bell, self.arena)

    def tick(self) -> None:
        """Sweep unless that was done just now, renew estimates, and see whether this machine can hold bots."""
        self.pulse.note()
        with self._hearing():
            if self.may_work() and self.claim_sweep():
                self.sweep_and_ring()
                # Not part of the sweep, which may run between the moves of a table: an estimate outlasts a lease.
                estimates.update_due(self.arena)
                self.prove()

    def may_work(self) -> bool:
        """Return whether the database is of this release. If it is not, end the worker: it can do nothing any more."""
        if not self._release.holds() and not self._retired:
            self._retired = True
            self.pulse.enter(ProcessState.OUT, self._release.reason)
            self.retire()
        return not self._retired

    @contextmanager
    def _hearing(self) -> Iterator[None]:
        self._heard_at = time.monotonic()  # before the turn: ends a poll
        with self._turn:
            try:
                yield
            finally:
                self._heard_at = time.monotonic()

    def do(self, bell: Doorbell, arena: Arena) -> None:
        """Do the work of a doorbell. After a failure of the machinery, close the cage and pause.

        Nothing is done if there is no room for results: the next sweeps ring again.

        The cage is opened before anything is claimed, so a machine that cannot hold bots uses up no attempts. After a
        failure the next work opens it again, and the new probe finds layers that no longer hold; then the canary's
        match must succeed. Otherwise the next sweep rings again, for workers on other machines: a worker that keeps
        failing takes nothing but the canary.
        """
        if bell.task == ANNOUNCE:
            announcements.announce_more(arena)
        elif bell.task == COMPARE:
            self.compare()
        elif bell.task != CANARY and not self._room.holds():
            self.pulse.enter(ProcessState.PAUSED, self._room.reason)
        elif bell.task == ANALYSE:
            self.analyse(bell, arena)
        else:
            self._do(bell, arena)

    def analyse(self, bell: Doorbell, arena: Arena) -> None:
        """Make an analysis. It needs no cage, and its failure says nothing about this machine."""
        with self.pulse.busy(_work(bell)):
            analyses.analyse(arena, bell.id, self._meanwhile)
        self._note_work()

    def compare(self) -> None:
        """Compare all bots in a process of its own, whose memory is returned when it ends.

        Do urgent work and sweep meanwhile.
        """
        nothing_held = Keeper(lambda: None, self.arena.settings.lease)
        with self.pulse.busy("comparison of all bots"):
            comparison.run(lambda: self._meanwhile(nothing_held))

    def _do(self, bell: Doorbell, arena: Arena) -> None:
        outcome = Outcome.FAULT
        try:
            with self.pulse.busy(_work(bell)):
                outcome = self._outcome(bell, arena)
        finally:  # even if logging fails
            if bell.task != CANARY:
                self._note_work()
            if outcome == Outcome.DONE:
                self.pulse.hold(self.cage.packages, self.cage.refused)
                self.pauses.succeed()
            elif outcome == Outcome.FAULT:
                self.cage.close()
                self.rest()

    def _note_work(self) -> None:
        self._worked, self._worked_at = True, time.monotonic()

    def _outcome(self, bell: Doorbell, arena: Arena) -> Outcome:
        if not self._can_hold_bots(bell):
            arena.unmark([bell])
            return Outcome.FAULT
        try:
            if bell.task == PLAY:
                return play.play_tables(arena, bell.ids, self.cage, self.name, self.between_moves)
            if bell.task == CANARY:
                return canary.check(self.cage)
            return validation.validate(arena, bell.id, self.cage, self.between_moves)
        except Exception as error:
            self.trouble = public_reason(error)
            log.exception("work failed")
            return Outcome.FAULT

    def _can_hold_bots(self, bell: Doorbell) -> bool:
        """Open the cage, and after a failure play the canary's match first. Return whether this succeeded."""
        try:
            self.cage.open()
            if self.pauses.doubtful and bell.task != CANARY:
                canary.check(self.cage)
                self.pauses.doubtful = False
        except ArenaFault as fault:
            self.trouble = str(fault)
            log.error("this machine cannot hold bots", reason=str(fault))
            return False
        except Exception as error:
            self.trouble = public_reason(error)
            log.exception("the cage could not be opened")
            return False
        return True

    def close_idle_cage(self, seconds: float = IDLE) -> None:
        """Close the cage if this process has had no work for this time. The next work or canary opens it again.

        If it had work before, end the process as well, unless it is the only one that works: Celery starts another,
        which shares with the others what this one has copied.
        """
        with self.idle() as idle:
            if idle and time.monotonic() - self._worked_at > seconds:
                self.cage.close()
                if self._worked and heartbeats.leave_to_others(self.arena, self.name):
                    self.renew()

    def prove_if_idle(self) -> None:
        """Play the canary's match if that is due and nothing else is to do: ticks may all go to other processes."""
        with self.idle() as idle:
            if idle:
                self.prove()

    def rest(self) -> None:
        """Take no work for a while, longer after each failure in a row, but sweep: all processes may be resting."""
        seconds = self.pauses.fail()
        event = "this worker keeps failing; it takes no work for now" if seconds == MAX_PAUSE else "this worker pauses"
        with suppress(OSError):  # a full disk must not cut the pause short
            log.warning(event, worker=self.name, failures=self.pauses.failures, seconds=seconds)
        state = ProcessState.OUT if seconds == MAX_PAUSE else ProcessState.PAUSED
        last = f"; the last one: {self.trouble}" if self.trouble else ""
        self.pulse.enter(state, f"for {seconds:g} s; failures in a row: {self.pauses.failures}{last}")
        self._sleep(seconds)
        self.pulse.enter(ProcessState.IDLE)

    def _sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, SWEEP_EVERY))
            self.sweep_overdue()

    def prove(self) -> None:
        """Play the canary's match if this process has held no bot for a while, and pause if it fails.

        The cage is closed afterwards: an idle process should not hold its memory.
        """
        held = self.pulse.held
        if held is None or time.monotonic() - held > PROOF_AFTER:
            self.do(Doorbell(CANARY, 0), self.arena)
            self.cage.close()

    def between_moves(self, keeper: Keeper) -> None:
        """Do urgent work and overdue sweeps between two moves of other work; `keeper` keeps its lease."""
        self.pulse.move()
        self._meanwhile(keeper)

    def _meanwhile(self, keeper: Keeper) -> None:
        self._lookout(keeper)
        self.sweep_overdue()

    def claim_sweep(self, pause: float = SWEEP_EVERY / 2) -> bool:
        """Return whether this process should sweep, and if so count it as done.

        It should not if it swept less than `pause` seconds ago, as when ticks have piled up.
        """
        now = time.monotonic()
        if self.swept_at is not None and now - self.swept_at < pause:
            return False
        self.swept_at = now
        return True

    def sweep_and_ring(self) -> None:
        """Sweep. Pause if the doorbells were not delivered, so that the next ticks go to workers that can ring."""
        sweep.tick(self.arena)
        self.courier.wake()
        if not self.delivers():
            self.rest()

    def sweep_overdue(self) -> None:
        """Sweep if this process has not for `OVERDUE` seconds. Errors are logged: the table at hand goes on."""
        if self.claim_sweep(OVERDUE):
            try:
                sweep.tick(self.arena)
            except Exception:
                log.exception("sweep failed")
            self.courier.wake()


def _end_worker() -> None:
    """Ask Celery's main process for a warm shutdown: all its processes finish the work at hand."""
    os.kill(os.getppid(), signal.SIGTERM)


def _end_process() -> None:
    """Ask the main thread to end this process, unless a doorbell has just arrived."""
    signal.pthread_kill(main_thread().ident or 0, signal.SIGUSR2)


def _end_if_waiting(_: int, frame: FrameType | None) -> None:
    """End this process, if its main thread waits for doorbells, with the code by which Celery replaces it silently.

    A doorbell that is sent meanwhile is not received, so Celery passes it to another process.
    """
    if any((one.f_globals["__name__"], one.f_code.co_name) == WAITING for one, _ in walk_stack(frame)):
        end()
        os._exit(os.EX_OK)


def _work(bell: Doorbell) -> str:
    """Return the work of a doorbell in words: table 12, 13."""
    return " ".join([WORDS[bell.task], ", ".join(str(one) for one in bell.ids if one)]).strip()


_current: WorkerProcess | None = None
"""The only state of this module: set from `begin` to `end`."""


def begin(settings: Settings) -> WorkerProcess:
    """Open everything that this process works with; called once by the main thread, when it starts."""
    global _current
    signal.signal(signal.SIGUSR2, _end_if_waiting)
    _current = WorkerProcess.open(settings)
    _current.pulse.start()
    _current.courier.start()
    return _current


def current() -> WorkerProcess:
    """Return what this process works with. Raises `RuntimeError` before `begin` and after `end`."""
    if _current is None:
        raise RuntimeError("no worker process is open: call begin(settings) first")
    return _current


def end() -> None:
    """Close everything that this process works with; called once when it stops."""
    global _current
    worker, _current = _current, None
    if worker:
        worker.close()


def pin(index: int) -> int:
    """Pin this process to the core with this index, modulo the number of cores, and return the core.

    A bot and its engine answer each other fastest on one core.
    """
    cores = sorted(os.sched_getaffinity(0))
    core = cores[index % len(cores)]
    os.sched_setaffinity(0, {core})
    return core
