"""Renew a lease while its work is in progress.

A single move may take longer than a lease lasts, so a separate thread renews the lease. It stops when the work itself
sends no heartbeats: then the lease expires and another worker takes over.
"""

import time
from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

import structlog

from arena.services.base.texts import described
from arena.services.queue.leases import LeaseLost

RENEWALS_PER_LEASE: Final = 3
PATIENCE: Final = 300.0
"""Seconds without a heartbeat after which the work counts as stuck; longer than any move may take."""

log: Final = structlog.get_logger()


class Keeper:
    """Context manager that calls `renew`, which may raise `LeaseLost`, several times per lease.

    `lease` and `patience` are in seconds. If the work interrupts other work, `outer` is the keeper of the interrupted
    work; it receives heartbeats as well.
    """

    def __init__(
        self, renew: Callable[[], None], lease: float, patience: float = PATIENCE, outer: Self | None = None
    ) -> None:
        self._renew = renew
        self._outer = outer
        self._pause = lease / RENEWALS_PER_LEASE
        self._patience = patience
        self._heard = time.monotonic()
        self._lost: LeaseLost | None = None
        self._done = Event()
        self._thread = Thread(target=self._run, name="lease", daemon=True)

    def heartbeat(self) -> None:
        """Report that the work is alive. Raises `LeaseLost` if it should stop."""
        self.touch()
        if self._lost:
            raise self._lost

    def touch(self) -> None:
        """Report that the work is alive, without checking the lease."""
        self._heard = time.monotonic()
        if self._outer:
            self._outer.touch()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._done.wait(self._pause) and not self._lost:
            if time.monotonic() - self._heard < self._patience:
                self._renew_once()

    def _renew_once(self) -> None:
        try:
            self._renew()
        except LeaseLost as lost:
            self._lost = lost
        except Exception as error:  # the database may recover before the lease expires
            log.warning("lease not renewed", error=described(error))
