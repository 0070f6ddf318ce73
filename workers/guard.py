"""Conditions under which a worker process takes no work."""

import time
from collections.abc import Callable
from typing import Final

import structlog

CHECK_EVERY: Final = 5.0
"""Seconds for which the result of a check is used."""

log: Final = structlog.get_logger()


class Guard:
    """A condition that is checked every few seconds, and logged when it begins and ends.

    `check` returns why no work is taken, or an empty text; `event` names the condition in the log.
    """

    def __init__(self, event: str, check: Callable[[], str], every: float = CHECK_EVERY) -> None:
        self._event, self._check, self._every = event, check, every
        self._next = 0.0
        self.reason = ""
        """Result of the last check."""

    def holds(self) -> bool:
        """Return whether work may be taken. A check that fails with an `OSError` counts as passed."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            self._note(self._checked())
        return not self.reason

    def _checked(self) -> str:
        try:
            return self._check()
        except OSError:  # taking work will report it
            return ""

    def _note(self, reason: str) -> None:
        if reason and not self.reason:
            log.warning(f"{self._event}; this worker takes no work for now", reason=reason)
        elif self.reason and not reason:
            log.info(f"{self._event} no longer; this worker takes work again")
        self.reason = reason
