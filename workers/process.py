"""What one worker process holds for its whole life: the arena, and a cage with its zygote, on a core of its own."""

import os
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final, NamedTuple

import structlog
from billiard import current_process

from arena.games.errors import ArenaFault
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.services import sweep
from arena.services.context import Arena, open_arena
from arena.services.lease import Keeper
from arena.services.sweep import SWEEP_EVERY
from arena.services.urgent import FAILED, REST, Lookout
from arena.settings import Settings
from workers.bell import celery_bell


class Held(NamedTuple):
    """What tasks work with."""

    arena: Arena
    cage: Cage
    name: str
    """How the database knows this worker."""
    meanwhile: Callable[[Keeper], None] = lambda _: None
    """What it does between the moves of a table that is not urgent."""


log: Final = structlog.get_logger()

OVERDUE: Final = 30.0
"""Seconds without a sweep after which a process sweeps in the middle of a table: all may be at tables for minutes, and
then nobody hears the ticks."""

_stack: Final = ExitStack()
_all: Final[list[Held]] = []
_swept: Final[deque[float]] = deque(maxlen=1)
"""When this process swept last, by its monotonic clock."""


def begin(settings: Settings) -> None:
    """Open everything; called once in a new worker process."""
    core = pin(getattr(current_process(), "index", 0))
    arena = open_arena(settings, celery_bell(settings))
    _stack.callback(arena.close)
    cage = _stack.enter_context(Cage(settings.sandbox_minimum, core, limits=limits_of(settings)))
    if settings.insecure:
        log.warning("insecure run: bots run with whatever layers this machine has", ARENA_SANDBOX_MINIMUM="none")
    name = f"{socket.gethostname()}:{os.getpid()}"
    lookout = Lookout(arena, cage, name)

    def meanwhile(keeper: Keeper) -> None:
        lookout(keeper)
        sweep_overdue(arena)

    _all.append(Held(arena, cage, name, meanwhile))


def held() -> Held:
    """What this process holds."""
    return _all[-1]


def fit() -> Held | None:
    """What this process holds, if its cage can take bots now. Else the reason is logged, and what waits keeps waiting:

    a machine that cannot hold bots must not use up the attempts of table after table. It rests, too, or it would be the
    quickest of all to answer doorbells.
    """
    here = held()
    try:
        here.cage.open()
    except ArenaFault as fault:
        log.error("no bots on this machine", reason=str(fault))
        rest()
        return None
    return here


def doubt(here: Held, outcome: str) -> None:
    """Where the machinery failed, rest, and have the cage tried anew before the next bot: `fit` says if it fails again.

    A cage may pass every trial and yet fail at bots; at rest it leaves them to others.
    """
    if outcome in FAILED:
        here.cage.close()
        rest()


def sweeps_now(pause: float = SWEEP_EVERY / 2) -> bool:
    """Whether this process should sweep: not where it has just done so, as when ticks come that piled up."""
    now = time.monotonic()
    if _swept and now - _swept[-1] < pause:
        return False
    _swept.append(now)
    return True


def sweep_overdue(arena: Arena) -> None:
    """Sweep where this process has not for long. Whatever fails there has nothing to do with the table at hand."""
    if sweeps_now(OVERDUE):
        try:
            sweep.tick(arena)
        except Exception:
            log.exception("sweep failed")


def rest() -> None:
    """Take nothing for a while."""
    time.sleep(REST)


def end() -> None:
    """Close everything, the cage's zygote included."""
    _all.clear()
    _stack.close()


def pin(index: int) -> int:
    """Keep this process on the core of that index. A bot and its engine on one core answer each other fastest."""
    cores = sorted(os.sched_getaffinity(0))
    core = cores[index % len(cores)]
    os.sched_setaffinity(0, {core})
    return core
