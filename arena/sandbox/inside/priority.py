"""Priority of playing, below that of pages.

Ladders keep workers busy for days, and somebody waits for each page. With equal priorities, most answers take more than
twice as long while two workers play on two cores.
"""

import os
from contextlib import suppress
from typing import Final

NICENESS: Final = 10
"""Niceness of playing: a tenth of the time if anything of the usual niceness, 0, wants the core as well."""
_SESSION: Final = "/proc/self/autogroup"


def lower(by: int = NICENESS) -> None:
    """Raise the niceness of this thread, its future threads and their future children."""
    os.nice(by)
    lower_session()


def lower_session() -> None:
    """Give the session that this process leads the niceness of the process.

    Outside of control groups, Linux divides time among sessions first, and a new session has the usual niceness
    (sched(7)). Without CAP_SYS_ADMIN only ten sessions per second can be changed; more than that stay as they are.
    """
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    if niceness > 0 and os.getsid(0) == os.getpid():
        with suppress(OSError):
            file = os.open(_SESSION, os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(file, str(niceness).encode())
            finally:
                os.close(file)
