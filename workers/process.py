"""What one worker process holds for its whole life: the arena, and a cage with its zygote, on a core of its own."""

import os
import socket
from contextlib import ExitStack
from typing import Final, NamedTuple

from billiard import current_process

from arena.sandbox import Cage
from arena.services.context import Arena, open_arena
from arena.settings import Settings
from workers.bell import celery_bell


class Held(NamedTuple):
    """The process' own."""

    arena: Arena
    cage: Cage
    name: str
    """How the database knows this worker."""


_stack: Final = ExitStack()
_held: Held | None = None


def begin(settings: Settings) -> None:
    """Open everything; called once in a new worker process."""
    global _held
    core = pin(getattr(current_process(), "index", 0))
    arena = open_arena(settings, celery_bell(settings))
    _stack.callback(arena.close)
    cage = _stack.enter_context(Cage(settings.sandbox_minimum, core))
    _held = Held(arena, cage, f"{socket.gethostname()}:{os.getpid()}")


def held() -> Held:
    """What this process holds."""
    if _held is None:
        begin(Settings.from_env())
    assert _held is not None  # noqa: S101
    return _held


def end() -> None:
    """Close everything, the cage's zygote included."""
    global _held
    _stack.close()
    _held = None


def pin(index: int) -> int:
    """Keep this process on the core of that index. A bot and its engine on one core answer each other fastest."""
    cores = sorted(os.sched_getaffinity(0))
    core = cores[index % len(cores)]
    os.sched_setaffinity(0, {core})
    return core
