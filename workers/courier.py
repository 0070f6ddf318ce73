"""The courier: sends deliveries to webhooks, notices by mail, and grades, in threads beside the work of a process.

A sweep wakes it. Each delivery has a thread of a small pool, and a webhook has at most one at a time, so a slow
receiver delays neither the others nor any table. An idle courier sleeps.
"""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event, Thread
from typing import Any, Final

import structlog

from arena.services.base.context import Arena
from arena.services.lti import scores
from arena.services.people import notice_mails
from arena.services.webhooks import sending

PLACES: Final = 8
"""Number of deliveries that a process sends at a time."""
PATIENCE: Final = 5.0
"""Seconds for which the end of a process waits for the courier. What it has claimed is sent again later."""

PAUSE: Final = 1.0
"""Seconds after which the courier looks for more while slow deliveries are on their way."""

log: Final = structlog.get_logger()


class Courier:
    """Sends what is due whenever it is woken, in a thread of its own."""

    def __init__(self, arena: Arena, places: int = PLACES) -> None:
        self._arena, self._places = arena, places
        self._woken, self._stopped = Event(), Event()
        self._thread: Thread | None = None
        self._sent: dict[Future[Any], int] = {}
        """Deliveries on their way, and their webhooks."""

    def start(self) -> None:
        """Start the thread."""
        self._thread = Thread(target=self._run, name="courier", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Look for what is due."""
        self._woken.set()

    def stop(self) -> None:
        """Take nothing more, and wait a little for what is on its way."""
        self._stopped.set()
        self._woken.set()
        if self._thread:
            self._thread.join(PATIENCE)

    def send_all(self) -> None:
        """Send what is due, until nothing is."""
        with ThreadPoolExecutor(self._places, "delivery") as pool:
            others = pool.submit(self._send_others)
            while not self._stopped.is_set() and (self._claim(pool) or self._sent):
                wait([*self._sent], PAUSE, FIRST_COMPLETED)
                self._sent = {future: webhook for future, webhook in self._sent.items() if not future.done()}
            others.result()

    def _send_others(self) -> None:
        for send_due in (notice_mails.send_due, scores.send_due):
            self._try(send_due, self._arena)

    def _claim(self, pool: ThreadPoolExecutor) -> bool:
        """Claim what is due and hand it to the pool. Returns whether there was anything."""
        claimed = sending.claim(self._arena, self._places - 1 - len(self._sent), [*self._sent.values()])
        for webhook, job in claimed:
            self._sent[pool.submit(self._try, sending.send, self._arena, job)] = webhook
        return bool(claimed)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._woken.wait()
            self._woken.clear()
            self._try(self.send_all)

    @staticmethod
    def _try(act: Callable[..., object], *args: object) -> None:
        """Carry out an action. An error is logged: a delivery without an outcome is sent again later."""
        try:
            act(*args)
        except Exception:
            log.exception("courier failed")
