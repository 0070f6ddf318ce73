"""The dump of a bot's Python stack, for which the engine asks before it ends a bot that has used up its time.

The handler is C code without a step of Python, so it also runs within an endless loop in C. Nothing in the cage can
send the signal or replace the handler, and the filter kills the process when the handler returns (`rt_sigreturn`).
"""

import faulthandler
import signal
from typing import Final

SIGNAL: Final = signal.SIGUSR1


def register(descriptor: int) -> None:
    """Have this process, and all that it forks, write their stack to a descriptor on `SIGNAL`."""
    faulthandler.register(SIGNAL, descriptor, all_threads=False)
