"""The way to an arena, which may be away for a while: what is asked is asked again, without end."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

import click

from arena.games.errors import ArenaError, Unavailable
from arena.remote.http import BUSY, Rejected, Remote, Untrusted

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 8.0
"""Seconds before another attempt to reach the arena, which double up to this."""
LONGEST_NAMED: Final = 300.0
"""Seconds before another attempt that the client waits if the arena asks for them."""
MARGIN: Final = 10.0
"""Seconds beyond those for which the arena may keep a request, after which a silent connection is given up."""
UNAUTHORISED, CONFLICT = 401, 409

Answer = TypeVar("Answer")


class Away(NamedTuple):
    """The arena cannot be reached."""

    since: float
    """In seconds since 1970."""
    reason: str


class Link:
    """The way to an arena. Several threads may use it."""

    def __init__(
        self,
        arena: Remote,
        wait: float,
        token: Callable[[], str | None] | None = None,
    ) -> None:
        """`wait` is the time in seconds for which the arena may keep a request.

        `token` returns the latest token, for when the arena does not accept an older one any more.
        """
        self.arena, self.pause, self._token = arena, arena.pause, token
        self.away: Away | None = None
        self.warn: Callable[[str], None] = lambda text: click.echo(text, err=True)
        self._warned: set[str] = set()
        """What was said during this absence: several threads try again."""
        self._accepted = False
        """Whether the arena has answered at all: a token that it never accepted is wrong."""
        connecting, _ = arena.timeouts
        arena.timeouts = connecting, wait + MARGIN
        arena.attempts = 1  # `reached` makes them all

    def reached(self, ask: Callable[[], Answer], wanted: Callable[[], bool] = lambda: True) -> Answer | None:
        """Return what the arena answers, however long it is away; None if that is not `wanted` any more.

        Raises what the arena refuses.
        """
        pause = FIRST_PAUSE
        while wanted():
            try:
                answer = ask()
            except ArenaError as error:
                if not self._passes(error):
                    raise
                seconds = min(getattr(error, "after", 0.0), LONGEST_NAMED) or pause
                self._note(str(error), seconds)
                self.pause(seconds)
                pause = min(2 * pause, LONGEST_PAUSE)
                self._renew(error)
            else:
                self.away, self._accepted = None, True
                self._warned.clear()
                return answer
        return None

    def _passes(self, error: ArenaError) -> bool:
        """Return whether the same request may succeed later."""
        if isinstance(error, Rejected):
            in_work = error.status == CONFLICT and error.after  # its first copy is
            return error.status in BUSY or bool(in_work) or (error.status == UNAUTHORISED and self._accepted)
        return isinstance(error, Unavailable) and (self._accepted or not isinstance(error, Untrusted))

    def _renew(self, error: ArenaError) -> None:
        if self._token and isinstance(error, Rejected) and error.status == UNAUTHORISED:
            self.arena.present(self._token())

    def _note(self, reason: str, seconds: float) -> None:
        self.away = Away(self.away.since if self.away else time.time(), reason)
        text = f"arena connect: {reason} Next attempt in {seconds:.0f} s."
        if text not in self._warned:
            self._warned.add(text)
            self.warn(text)
