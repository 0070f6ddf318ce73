"""Outcomes of work, and a worker's pauses after failures."""

from enum import StrEnum
from typing import Final

FIRST_PAUSE: Final = 5.0
"""Seconds of the pause after a first failure; doubled after each further failure in a row."""
MAX_PAUSE: Final = 300.0
"""Seconds of the longest pause."""


class Outcome(StrEnum):
    """Outcome of playing a table or validating a version, for the worker that tried it."""

    DONE = "done"
    """The result was accepted."""
    NOTHING = "nothing"
    """There was nothing to do: another worker had claimed it, or it was cancelled."""
    LOST = "lost"
    """The lease was lost before the result was submitted."""
    FAULT = "fault"
    """The arena failed; the work will be retried."""


class Pauses:
    """Pauses of one worker process after failures of the arena, so that it does not fail at table after table."""

    def __init__(self) -> None:
        self.failures = 0
        """Number of failures in a row."""
        self.doubtful = False
        """Whether the canary's match must succeed before other work is taken: once after each failure."""

    def fail(self) -> float:
        """Count a failure. Returns the seconds to pause."""
        self.failures += 1
        self.doubtful = True
        return min(MAX_PAUSE, FIRST_PAUSE * 2.0 ** min(self.failures - 1, 20))

    def succeed(self) -> None:
        """Reset the pause to the shortest."""
        self.failures = 0
        self.doubtful = False
