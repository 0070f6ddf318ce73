"""Keep a lease alive while its work goes on.

A bot may think for longer than a lease lasts, so the lease is renewed by a thread of its own, not between moves. It
stops renewing when the work itself shows no sign of life: then the lease runs out, and somebody else takes over.
"""

import time
from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

import structlog

from arena.games.errors import ArenaError

RENEWALS_PER_LEASE: Final = 3
PATIENCE: Final = 300.0
"""Seconds between two heartbeats after which the work counts as stuck; no move may take so long."""

log: Final = structlog.get_logger()


class LeaseLost(ArenaError):
    """What was claimed is somebody else's by now, or was cancelled: stop, and hand in nothing."""


class Keeper:
    """Calls `renew` (which may raise LeaseLost) a few times per lease, from entering to leaving its block.

    Where its work is done in the middle of other work, `outer` keeps the lease of that.
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
        """A sign of life from the work. Raises LeaseLost where it should stop."""
        self.sign()
        if self._lost:
            raise self._lost

    def sign(self) -> None:
        """A sign of life alone: whoever gives it cannot stop now."""
        self._heard = time.monotonic()
        if self._outer:
            self._outer.sign()

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
        except Exception as error:  # the database may be back before the lease runs out
            log.warning("lease not renewed", error=str(error))
