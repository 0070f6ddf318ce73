"""The loud app for a worker under libfaketime, whose clock is two hours ahead.

libfaketime changes more than the clock, which this module corrects: it also shifts the CPU clocks of processes, and
sleeping fails under it.
"""

import select
import time
from typing import SupportsIndex

from tests.faults import AHEAD, loud

app = loud.app

_shifted = time.clock_gettime


def clock_gettime(clock: int) -> float:
    """Return the time of a clock without the shift for the CPU clocks of processes, whose numbers are negative."""
    return _shifted(clock) - (AHEAD if clock < 0 else 0)


def sleep(seconds: float | SupportsIndex, /) -> None:
    """Sleep by means of `select`."""
    select.select([], [], [], float(seconds))


time.clock_gettime = clock_gettime
time.sleep = sleep
