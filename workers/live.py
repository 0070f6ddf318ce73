"""The host of live tables as a process: its cages, its signs of life, and the signals that end it."""

import signal
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event, Thread
from typing import Any, Final

import structlog

from arena.sandbox import Cage
from arena.sandbox.hall import ROOM, Hall
from arena.sandbox.inside import priority
from arena.sandbox.limits import limits_of
from arena.services.base.context import Arena, open_arena
from arena.services.base.states import ProcessState
from arena.services.live import field
from arena.services.live.host import Host
from arena.settings import Settings
from workers import guard
from workers.logs import configure_logs
from workers.pulse import Pulse, own_name

NICENESS: Final = 5
"""Niceness of live tables: a person waits for them, unlike for a ladder, but pages come first."""
FIELD_PAUSE: Final = 1.0
"""Seconds between two looks for boards that bots have not played yet."""
FIELD_IDLE: Final = 60.0
"""Seconds without such boards after which the cage for them is closed."""

log: Final = structlog.get_logger()


def run(settings: Settings) -> None:
    """Play live tables until SIGTERM or SIGINT."""
    configure_logs(settings.log_level, settings.log_format)
    priority.lower(NICENESS)
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    arena = open_arena(settings)
    hall = Hall(partial(_cage, settings, ROOM))
    host = Host(arena, hall.place, settings.live_tables)
    pulse = Pulse(arena, own_name(), "live")
    try:
        _serve(arena, host, pulse, stop, lambda: _cage(settings))
    finally:
        stop.set()
        hall.close()
        pulse.stop()
        arena.close()


def _cage(settings: Settings, *seats: int) -> Cage:
    """Return a cage whose bots are stopped while they are not asked: a person may think for long."""
    limits = replace(limits_of(settings), bracket=True)
    more: dict[str, Any] = {"seats": seats[0]} if seats else {}
    return Cage(settings.sandbox_minimum, limits=limits, packages=settings.bot_packages, **more)


def _serve(arena: Arena, host: Host, pulse: Pulse, stop: Event, cage: Callable[[], Cage]) -> None:
    pulse.start()
    watch = Thread(target=_watch, args=(arena, host, pulse, stop), name="watch")
    boards = Thread(target=_play_boards, args=(arena, stop, cage), name="field")
    watch.start()
    boards.start()
    arena.settings.live_ready.parent.mkdir(parents=True, exist_ok=True)
    arena.settings.live_ready.touch()
    host.run(stop)
    watch.join()
    boards.join()


def _watch(arena: Arena, host: Host, pulse: Pulse, stop: Event) -> None:
    """Report the tables at play, and end this process if the database is of another release."""
    release = guard.release(arena)
    while not stop.wait(1.0):
        tables = host.tables
        pulse.enter(ProcessState.BUSY if tables else ProcessState.IDLE, f"live tables: {tables}" if tables else "")
        if not release.holds():
            stop.set()


def _play_boards(arena: Arena, stop: Event, cage: Callable[[], Cage]) -> None:
    """Let bots play people's boards, one match at a time and below everything else."""
    priority.lower(priority.NICENESS - NICENESS)
    while not stop.is_set():
        try:
            with cage() as own:
                idle = 0.0
                while idle < FIELD_IDLE and not stop.is_set():
                    idle = 0.0 if field.play_next(arena, own, stop.is_set) else idle + FIELD_PAUSE
                    if idle:
                        stop.wait(FIELD_PAUSE)
        except field.Stopped:
            return
        except Exception:
            log.exception("people's boards: a bot's match failed")
            stop.wait(10 * FIELD_PAUSE)
