"""The troubles that a mock arena makes, and when."""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple


class Trouble(NamedTuple):
    """Something that happens to one request."""

    name: str
    failing: str
    """What is wrong with a client that is not heard of again."""


LOST: Final = Trouble("lost", "did not ask again after the connection was lost")
SILENT: Final = Trouble(
    "silent", "waits without end on a connection that says nothing: give a request up after `wait` and 10 s"
)
RESTART: Final = Trouble("restart", "never came back after the restart")
EXPIRED: Final = Trouble("expired", "did not come back after status 401: the token may have been renewed")
BUSY: Final = Trouble("429", "did not come back after status 429")
AWAY: Final = Trouble("503", "did not come back after status 503")
GATEWAY: Final = Trouble("502", "did not come back after status 502 with a page that is no JSON")
PAGE: Final = Trouble("page", "did not come back after an answer that is no JSON")
CUT: Final = Trouble("cut", "did not come back after an answer that was cut off")
SLOW: Final = Trouble("slow", "did not come back after a slow answer")
REPEATED: Final = Trouble("repeated", "did not come back after an answer that came twice")
REORDERED: Final = Trouble("reordered", "did not come back after questions in another order")
PAUSE: Final = Trouble("pause", "did not come back after `pause`")
GIVEN_UP: Final = Trouble("given up", "did not come back after a table that the arena gave up")
UNHEARD: Final = Trouble("unheard", "did not send its answer again after the connection was lost")
DONE_AND_LOST: Final = Trouble("done and lost", "did not come back after the answer to a move was lost")

ASKING: Final = (
    LOST, SILENT, EXPIRED, BUSY, AWAY, GATEWAY, PAGE, CUT, SLOW, REPEATED, REPEATED, REORDERED, PAUSE, RESTART,
    GIVEN_UP,
)  # fmt: skip
"""Troubles with requests for questions."""
MOVING: Final = (UNHEARD, UNHEARD, DONE_AND_LOST, DONE_AND_LOST, EXPIRED, BUSY, AWAY, GATEWAY, SLOW, RESTART)
"""Troubles with moves."""
OPENING: Final = (DONE_AND_LOST,)
"""Troubles with new tables."""


class Plan:
    """Troubles for one kind of request, in an order of the seed: one for every second request."""

    def __init__(self, troubles: Sequence[Trouble], rng: Random) -> None:
        self.total = len(troubles)
        self._left = rng.sample(troubles, len(troubles))
        self._requests = 0

    @property
    def met(self) -> int:
        """Number of troubles that were made."""
        return self.total - len(self._left)

    def next(self) -> Trouble | None:
        """Return the trouble for the next request; None for an answer as it should be."""
        self._requests += 1
        return self._left.pop() if self._left and self._requests % 2 == 0 else None

    def postpone(self, trouble: Trouble) -> None:
        """Keep a trouble that does not fit now for later."""
        self._left.insert(0, trouble)
