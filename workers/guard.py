"""Conditions under which a worker process takes no work."""

import time
from collections.abc import Callable
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from arena.db import schema
from arena.services.base.context import Arena
from arena.services.queue import space

CHECK_EVERY: Final = 5.0
"""Seconds for which the result of a check is used."""

log: Final = structlog.get_logger()


def room(arena: Arena) -> "Guard":
    """Return a guard that holds while there is room for results."""
    return Guard("no room for results", lambda: space.shortage(arena.settings))


def release(arena: Arena) -> "Guard":
    """Return a guard that holds while the database is of this release: a newer one may have migrated it."""

    def check() -> str:
        try:
            with arena.database.engine.connect() as connection:
                schema.check(connection)
        except schema.ForeignSchema as foreign:
            return str(foreign)
        return ""

    return Guard("the database is of another release", check)


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
        """Return whether work may be taken. A check that cannot be made counts as passed."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            self._note(self._checked())
        return not self.reason

    def _checked(self) -> str:
        try:
            return self._check()
        except (OSError, SQLAlchemyError):  # taking work will report it
            return ""

    def _note(self, reason: str) -> None:
        if reason and not self.reason:
            log.warning(f"{self._event}; this worker takes no work for now", reason=reason)
        elif self.reason and not reason:
            log.info(f"{self._event} no longer; this worker takes work again")
        self.reason = reason
