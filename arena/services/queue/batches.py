"""Tables that one worker has claimed together: it plays them one after another and submits their results together.

For short tables the queue's own work would take longer than play: a transaction for each step of each table. A batch is
expected to last a second. If it lasts longer, results are stored and tables not begun are handed back.
"""

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Final

import structlog

from arena.services.base.context import Arena
from arena.services.base.texts import log_fields, public_reason
from arena.services.play.table import TableResult
from arena.services.queue import claims
from arena.services.queue.leases import TABLES, Claim, LeaseLost

HOLD: Final = 2.0
"""Seconds for which a worker may keep results and tables that it has not begun."""

log: Final = structlog.get_logger()


class Batch:
    """Claims of one worker. Iterating begins one table after another.

    The worker's thread changes it, and the keeper's thread renews it; a lock keeps them apart.
    """

    def __init__(self, arena: Arena, claimed: Sequence[Claim]) -> None:
        self.lost = False
        """Whether a claim was lost before its result was stored."""
        self.failed = False
        """Whether the machinery failed at a table."""
        self._arena = arena
        self._waiting = deque(claimed)
        self._current: Claim | None = None
        self._results: dict[Claim, TableResult] = {}
        self._held = set(claimed)
        """Claims whose tables are neither stored nor given back."""
        self._lock = Lock()
        self._began = time.monotonic()

    def __bool__(self) -> bool:
        return bool(self._held)

    def __iter__(self) -> Iterator[Claim]:
        while self._waiting:
            self._current = self._waiting.popleft()
            yield self._current

    @property
    def overdue(self) -> bool:
        """Whether it has held results, or tables not begun, for too long."""
        return bool(self._waiting or self._results) and time.monotonic() - self._began > HOLD

    def renew(self) -> None:
        """Extend all leases. Raises `LeaseLost` if one of the claims no longer holds."""
        with self._lock:
            TABLES.renew(self._arena, *self._held)

    def add(self, result: TableResult) -> None:
        """Keep the result of the table at hand."""
        if self._current:
            self._results[self._current], self._current = result, None

    def submit(self) -> list[Claim]:
        """Store the results so far, and return the claims that still held."""
        results, self._results = self._results, {}
        with self._lock:
            self._held.difference_update(results)
            accepted = self._store(results) if results else []
        self.lost |= len(accepted) < len(results)
        return accepted

    def hand_back(self) -> None:
        """Queue the tables without a result again, except the one at hand; none of them failed."""
        unplayed = list(self._waiting)
        self._waiting.clear()
        self._return(unplayed)

    def abandon(self) -> None:
        """Queue all tables without a result again, because a claim was lost."""
        self.lost = True
        if self._current:
            self._waiting.appendleft(self._current)
            self._current = None
        self.hand_back()

    def fail(self, error: Exception) -> None:
        """Give back the table at hand after an infrastructure failure."""
        claim, self._current = self._current, None
        if claim:
            with self._lock:
                self._held.discard(claim)
                self._give_back(claim, error)

    def _store(self, results: Mapping[Claim, TableResult]) -> list[Claim]:
        """Store results together, or one by one if that fails: a result that cannot be stored costs no other."""
        try:
            return claims.submit_all(self._arena, results)
        except Exception as error:
            if len(results) > 1:
                return [claim for one in results.items() for claim in self._store(dict([one]))]
            for claim in results:
                self._give_back(claim, error)
            return []

    def _give_back(self, claim: Claim, error: Exception) -> None:
        self.failed = True
        try:
            claims.give_back(self._arena, claim, public_reason(error))
        except LeaseLost:
            self.failed, self.lost = False, True
        finally:
            log.warning("table not played", table=claim.id, attempt=claim.fence, **log_fields(error))

    def _return(self, unplayed: Sequence[Claim]) -> None:
        if unplayed:
            with self._lock:
                self._held.difference_update(unplayed)
                claims.hand_back(self._arena, unplayed)
