"""The same app for a worker under libfaketime, whose clock is two hours ahead.

libfaketime does more than a wrong clock does, and that is mended here: it moves the clocks on which processes spend CPU
time, too, and sleeping fails under it.
"""

import select
import time
from typing import SupportsIndex

from tests.faults import loud

app = loud.app

AHEAD = 2 * 3600
_told = time.clock_gettime


def clock_gettime(clock: int) -> float:
    """The clock of that number; those of processes are negative."""
    return _told(clock) - (AHEAD if clock < 0 else 0)


def sleep(seconds: float | SupportsIndex, /) -> None:
    """Sleep by other means."""
    select.select([], [], [], float(seconds))


time.clock_gettime = clock_gettime
time.sleep = sleep
