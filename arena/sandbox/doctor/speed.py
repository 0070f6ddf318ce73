"""Timing of the cage on this machine."""

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from arena.sandbox.cage import Cage
from arena.sdk.player import Setup

_SOURCE: Final = b"def act(view):\n    return view.legal[0]\n"
_SETUP: Final = Setup("suitability", {"players": 4}, 0, ("a", "b", "c", "d"), 1)
_VIEW: Final[dict[str, Any]] = {"seat": 0, "phase": "play", "legal": ["2C", "3C"]}
_STARTS: Final = 20
_MOVES: Final = 1000


@dataclass(frozen=True)
class Timing:
    """Distribution of repeated measurements."""

    median: float
    p99: float


@dataclass(frozen=True)
class Speed:
    """Timings on one core, shared as by a worker and its bots."""

    ready_ms: Timing
    """Time from requesting a bot until its `on_start` has returned."""
    move_us: Timing
    """Time from sending a view to receiving the answer of a bot that does not think."""


def measure(cage: Cage) -> Speed:
    """Time bots of this cage. Raises `ArenaFault`."""
    starts = [_start(cage) for _ in range(_STARTS + 1)][1:]  # the first start includes compiling the program
    return Speed(ready_ms=_timing(starts, 1e3), move_us=_timing(_moves(cage), 1e6))


@contextmanager
def one_core() -> Iterator[int | None]:
    """Pin this process to one of its cores. Yields the core's number, or None if the kernel refuses."""
    before = os.sched_getaffinity(0)
    core: int | None = max(before)
    try:
        os.sched_setaffinity(0, {max(before)})
    except OSError:
        core = None
    try:
        yield core
    finally:
        with suppress(OSError):
            os.sched_setaffinity(0, before)


def _timing(seconds: Sequence[float], scale: float) -> Timing:
    ordered = sorted(seconds)
    late = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    return Timing(round(statistics.median(ordered) * scale, 2), round(late * scale, 2))


def _start(cage: Cage) -> float:
    """Return the seconds until a bot is ready."""
    before = time.perf_counter()
    player = cage.player(_SOURCE)
    player.start(_SETUP)
    player.ready()
    seconds = time.perf_counter() - before
    player.close()
    return seconds


def _moves(cage: Cage) -> list[float]:
    player = cage.player(_SOURCE)
    player.start(_SETUP)
    player.ready()

    def move() -> None:
        player.ask(_VIEW, (), 10.0)
        player.reply()

    try:
        return [_timed(move) for _ in range(_MOVES)]
    finally:
        player.close()


def _timed(action: Callable[[], object]) -> float:
    before = time.perf_counter()
    action()
    return time.perf_counter() - before
