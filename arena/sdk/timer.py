"""A limit on the CPU time of a block of code in this process, for bots that play without a cage.

It ends endless loops in Python, but no long call of a C function. Time at a breakpoint costs nothing.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeIsUp(BaseException):
    """The block has used up its time. Not an `Exception`, which a bot may catch."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TimeIsUp` in the block after these seconds of CPU time, where this system and this thread have timers."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _end)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(seconds, 0.001), 0.1)  # again if the bot catches everything
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _end(number: int, frame: FrameType | None) -> None:
    raise TimeIsUp
